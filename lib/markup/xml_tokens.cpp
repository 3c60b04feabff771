// SPDX-License-Identifier: Apache-2.0
#include "markup/xml_tokens.h"

#include <expat.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "markup/ascii.h"
#include "text/xml_place.h"

namespace dragoman::markup {
namespace {

constexpr std::size_t kMaxAtOnce = 1u << 30;  // expat counts in int

// Turns expat's events into tokens with the bytes that they stand for.
class Reader {
public:
    Reader(std::string_view source, const std::function<void(const Token&)>& take)
        : source_(source), take_(take), parser_(XML_ParserCreate("UTF-8"), XML_ParserFree) {
        if (!parser_) fail(Status::out_of_memory, "XML: no memory for a parser");
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(parser_.get(), start, end);
        XML_SetCharacterDataHandler(parser_.get(), characters);
        XML_SetCdataSectionHandler(parser_.get(), cdata_begins, cdata_ends);
        XML_SetDefaultHandler(parser_.get(), anything_else);  // this handler leaves declared entities as they are
    }

    void read() {
        for (std::size_t at = 0; at < source_.size() || at == 0;) {
            const std::size_t size = std::min(kMaxAtOnce, source_.size() - at);
            const bool last = at + size == source_.size();
            if (XML_Parse(parser_.get(), source_.data() + at, int(size), last) != XML_STATUS_OK)
                fail(Status::invalid_argument, "XML: {} at byte {}", XML_ErrorString(XML_GetErrorCode(parser_.get())),
                     std::max<int64_t>(text::xml_byte(parser_.get()), 0));
            at += size;
            if (last) break;
        }
        flush(source_.size());
    }

private:
    static Reader& self(void* data) { return *static_cast<Reader*>(data); }
    static void XMLCALL start(void* data, const XML_Char* name, const XML_Char**) {
        self(data).put(Token::Kind::start, name);
    }
    static void XMLCALL end(void* data, const XML_Char* name) { self(data).put(Token::Kind::end, name); }
    static void XMLCALL characters(void* data, const XML_Char*, int) { self(data).in_text_ = true; }
    static void XMLCALL cdata_begins(void* data) {
        Reader& reader = self(data);
        reader.flush(reader.here());
        reader.cdata_ = true;
        reader.cdata_begin_ = reader.here();
    }
    static void XMLCALL cdata_ends(void* data) {
        Reader& reader = self(data);
        reader.cdata_ = reader.in_text_ = false;
        reader.put_cdata();
    }
    static void XMLCALL anything_else(void* data, const XML_Char* text, int size) {
        Reader& reader = self(data);
        if (reader.cdata_) return;
        const bool reference = size > 2 && text[0] == '&' && reader.depth_ > 0;
        reader.put(reference ? Token::Kind::reference : Token::Kind::other, "");
    }

    std::size_t here() const { return std::size_t(text::xml_byte(parser_.get())); }

    // The bytes between the last token and this place are a text.
    void flush(std::size_t until) {
        if (until <= place_) return;
        Token token{.kind = in_text_ ? Token::Kind::text : Token::Kind::other,
                    .bytes = {place_, until},
                    .content = {place_, until}};
        in_text_ = false;
        place_ = until;
        take_(token);
    }

    void put(Token::Kind kind, std::string_view name) {
        const std::size_t begin = here();
        const auto size = std::size_t(text::xml_event_size(parser_.get()));
        flush(begin);
        Token token{.kind = kind, .bytes = {place_, std::max(place_, begin + size)}, .name = std::string(name)};
        if (kind == Token::Kind::start) {
            ++depth_;
            add_attributes(token);
        } else if (kind == Token::Kind::end) {
            --depth_;
            if (size == 0 || source_.substr(begin, 2) != "</") token.bytes = {place_, place_};
        }
        token.content = token.bytes;
        place_ = token.bytes.end;
        take_(token);
    }

    void put_cdata() {
        constexpr std::size_t kOpening = 9, kClosing = 3;
        const std::size_t end = here() + kClosing;
        Token token{.kind = Token::Kind::text,
                    .bytes = {cdata_begin_, end},
                    .content = {cdata_begin_ + kOpening, end - kClosing},
                    .references = false};
        place_ = end;
        take_(token);
    }

    // Adds the attributes of a tag that expat has found well-formed.
    void add_attributes(Token& token) const {
        std::size_t at = token.bytes.begin + 1 + token.name.size();
        const std::size_t end = token.bytes.end;
        token.self_closing = end >= 2 && source_[end - 2] == '/';
        while (true) {
            while (at < end && is_blank(source_[at])) ++at;
            if (at >= end || source_[at] == '>' || source_[at] == '/') return;
            Attribute attribute;
            while (at < end && !is_blank(source_[at]) && source_[at] != '=') attribute.name += source_[at++];
            while (at < end && source_[at] != '"' && source_[at] != '\'') ++at;
            if (at >= end) return;
            attribute.quote = source_[at];
            attribute.value = {at + 1, std::min(source_.find(attribute.quote, at + 1), end)};
            at = attribute.value.end + 1;
            token.attributes.push_back(std::move(attribute));
        }
    }

    const std::string_view source_;
    const std::function<void(const Token&)>& take_;
    const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
    std::size_t place_ = 0, cdata_begin_ = 0, depth_ = 0;
    bool cdata_ = false, in_text_ = false;
};

}  // namespace

void xml_tokens(std::string_view source, const std::function<void(const Token&)>& take) { Reader(source, take).read(); }

}  // namespace dragoman::markup
