// SPDX-License-Identifier: Apache-2.0
// TMX: a segment in the target language is written beside the source's, where there is none.
#include <utility>

#include "base/error.h"
#include "documents/bilingual/source_content.h"
#include "documents/readers.h"
#include "text/language_rules.h"
#include "text/tmx_places.h"

namespace dragoman::documents {
namespace {

using markup::Token;

class TmxReader {
public:
    TmxReader(std::string_view source, const Languages& languages)
        : source_(source), from_(text::primary_language(languages.source)),
          to_(text::primary_language(languages.target)), target_(languages.target) {}

    void take(const Token& token) {
        if (content_.reads()) {
            if (content_.take(source_, token)) has_source_ = true;
            return;
        }
        const std::string_view name = local_name(token.name);
        const auto attribute = [&](std::string_view key) { return attribute_of(source_, token, key); };
        if (token.kind == Token::Kind::start) begin(token, tmx_.begin(name, attribute));
        if (token.kind == Token::Kind::end) end(token, tmx_.of(name));
    }

    Units units;
    std::vector<BilingualPlace> places;
    const std::set<std::size_t>& gaps() const { return content_.gaps; }

private:
    using In = text::TmxPlaces::Place;
    void begin(const Token& token, In place) {
        if (place == In::header && from_.empty()) from_ = text::primary_language(tmx_.source_language());
        if (place == In::variant) {
            const std::string language = text::primary_language(tmx_.language());
            has_target_ = has_target_ || language == to_;
            in_source_ = language == from_ && !has_source_;
        }
        if (place == In::segment && in_source_ && !token.self_closing) content_.begin(token);
    }
    void end(const Token& token, In place) {
        if (place == In::variant) {
            if (in_source_) end_ = {token.bytes.end - 1, token.bytes.end};
            in_source_ = false;
        }
        if (place == In::unit) end_unit();
    }
    void end_unit() {
        if (has_source_ && !has_target_) {
            std::vector<BilingualSegment> segments = content_.finish(source_, units, /*messages=*/false);
            places.push_back({end_, "><tuv xml:lang=\"" + escaped_attribute(target_) + "\"><seg>", "</seg></tuv>",
                              content_.bytes(), std::move(segments)});
        }
        has_source_ = has_target_ = false;
    }

    const std::string_view source_;
    std::string from_;
    const std::string to_, target_;
    text::TmxPlaces tmx_;
    SourceContent content_;
    Range end_{};
    bool in_source_ = false, has_source_ = false, has_target_ = false;
};

}  // namespace

PartPtr read_tmx(std::string source, const Languages& languages) {
    if (languages.target.empty())
        fail(Status::invalid_argument, "TMX: expected a target language, which its segments are marked with, got none");
    TmxReader reader(source, languages);
    read_xml(source, "document", false, [&](const Token& token) { reader.take(token); });
    return std::make_unique<BilingualPart>(std::move(source), std::move(reader.units), std::move(reader.places),
                                           reader.gaps());
}

}  // namespace dragoman::documents
