// SPDX-License-Identifier: Apache-2.0
#include "tm/tmx.h"

#include <expat.h>

#include <exception>
#include <fstream>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "files/new_file.h"
#include "text/characters.h"
#include "text/tmx_places.h"
#include "text/xml_place.h"

namespace dragoman::tm {
namespace {

using Place = text::TmxPlaces::Place;

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxText = 1u << 16;  // bytes of a segment; a unit with a longer one is left out
constexpr std::size_t kChunk = 1u << 20;

class TmxReader {
public:
    explicit TmxReader(const TakeUnit& take) : take_(take), parser_(XML_ParserCreate(nullptr), &XML_ParserFree) {
        if (!parser_) fail(Status::out_of_memory, "TMX: no memory for a parser");
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(
            parser_.get(),
            [](void* self, const XML_Char* name, const XML_Char** attributes) {
                static_cast<TmxReader*>(self)->guarded([&](TmxReader& reader) { reader.begin(name, attributes); });
            },
            [](void* self, const XML_Char* name) {
                static_cast<TmxReader*>(self)->guarded([&](TmxReader& reader) { reader.end(name); });
            });
        XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int size) {
            static_cast<TmxReader*>(self)->guarded([&](TmxReader& reader) { reader.text({text, std::size_t(size)}); });
        });
        // A document's own entities can make small files large, or read other files.
        XML_SetEntityDeclHandler(parser_.get(), [](void* self, const XML_Char* name, int, const XML_Char*, int,
                                                   const XML_Char*, const XML_Char*, const XML_Char*, const XML_Char*) {
            static_cast<TmxReader*>(self)->guarded([&](TmxReader&) {
                fail(Status::invalid_argument, "expected no entities but XML's, got a declaration of \"{}\"", name);
            });
        });
    }

    void read(std::string_view bytes, bool last) {
        if (XML_Parse(parser_.get(), bytes.data(), int(bytes.size()), last) != XML_STATUS_ERROR) return;
        const uint64_t line = text::xml_line(parser_.get());
        try {
            if (thrown_) std::rethrow_exception(thrown_);
            fail(Status::invalid_argument, "{}", XML_ErrorString(XML_GetErrorCode(parser_.get())));
        } catch (const Error& error) {
            fail(error.status(), "TMX, line {}: {}", line, error.what());
        }
    }

    void finish() const {
        if (left_out_)
            log(LogLevel::warning, "TMX: {} units are left out, which have segments of more than {} bytes", left_out_,
                kMaxText);
    }

private:
    // Exceptions must not pass through the parser.
    void guarded(const auto& work) {
        if (thrown_) return;
        try {
            work(*this);
        } catch (...) {
            thrown_ = std::current_exception();
            XML_StopParser(parser_.get(), XML_FALSE);
        }
    }

    void begin(std::string_view name, const XML_Char** attributes) {
        if (depth_ == 0 && name != "tmx") fail(Status::invalid_argument, "expected the element tmx, got {}", name);
        if (++depth_ > kMaxDepth)
            fail(Status::invalid_argument, "expected elements at most {} deep, got more", kMaxDepth);
        if (in_segment_) {
            if (code_ || name != "hi") ++code_;
            return;
        }
        const auto attribute = [&](std::string_view key) {
            for (const XML_Char** each = attributes; each[0]; each += 2)
                if (each[0] == key) return each[1];
            return "";
        };
        switch (places_.begin(name, attribute)) {
            case Place::unit: unit_.clear(), too_long_ = false; break;
            case Place::segment: in_segment_ = depth_, text_.clear(); break;
            default: break;
        }
    }

    void text(std::string_view text) {
        if (!in_segment_ || code_ || too_long_) return;
        text_ += text;
        too_long_ = text_.size() > kMaxText;
    }

    void end(std::string_view name) {
        if (in_segment_ == depth_) {
            in_segment_ = 0;
            unit_.push_back({places_.language(), std::string(text::part(text_, text::trim(text_, {0, text_.size()})))});
        } else if (code_) {
            --code_;
        } else if (places_.of(name) == Place::unit && !in_segment_) {
            if (too_long_) ++left_out_;
            else take_(std::exchange(unit_, {}));
        }
        --depth_;
    }

    const TakeUnit& take_;
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
    std::exception_ptr thrown_;
    std::vector<Segment> unit_;
    text::TmxPlaces places_;
    std::string text_;
    std::size_t depth_ = 0, in_segment_ = 0, code_ = 0, left_out_ = 0;  // in_segment_: its depth; 0: in none
    bool too_long_ = false;
};

// Whether XML allows the character.
bool is_allowed(int32_t c) { return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff); }

std::string escaped(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const int32_t c = text::next_character(text, at);
        if (!is_allowed(c)) continue;
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            case '\r': result += "&#13;"; break;  // a parser reads line ends as \n
            default: result += text.substr(begin, at - begin);
        }
    }
    return result;
}

}  // namespace

void read_tmx(std::string_view bytes, const TakeUnit& take) {
    TmxReader reader(take);
    for (; bytes.size() > kChunk; bytes.remove_prefix(kChunk)) reader.read(bytes.substr(0, kChunk), false);
    reader.read(bytes, true);
    reader.finish();
}

void read_tmx_file(const std::filesystem::path& path, const TakeUnit& take) {
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(Status::io_error, "{}: cannot be read", text_of(path));
    try {
        TmxReader reader(take);
        std::string chunk(kChunk, '\0');
        while (file) {
            file.read(chunk.data(), std::streamsize(chunk.size()));
            if (file.bad()) fail(Status::io_error, "cannot be read");
            reader.read({chunk.data(), std::size_t(file.gcount())}, !file);
        }
        reader.finish();
    } catch (const Error& error) {
        fail(error.status(), "{}: {}", text_of(path), error.what());
    }
}

void write_tmx_file(const std::filesystem::path& path, const std::vector<std::vector<Segment>>& units,
                    std::span<const uint64_t> counts) {
    NewFile file(path, true);
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tmx version=\"1.4\">\n"
        "  <header creationtool=\"Dragoman\" creationtoolversion=\"1\" segtype=\"sentence\" o-tmf=\"Dragoman\"\n"
        "          adminlang=\"en\" srclang=\"*all*\" datatype=\"plaintext\"/>\n  <body>\n";
    const auto flush = [&] {
        file.write(std::as_bytes(std::span(text)));
        text.clear();
    };
    for (std::size_t i = 0; i < units.size(); ++i) {
        const uint64_t count = i < counts.size() ? counts[i] : 1;
        text += count > 1 ? fmt::format("    <tu usagecount=\"{}\">\n", count) : "    <tu>\n";
        for (const Segment& segment : units[i])
            text += fmt::format("      <tuv xml:lang=\"{}\"><seg>{}</seg></tuv>\n", escaped(segment.language),
                                escaped(segment.text));
        text += "    </tu>\n";
        if (text.size() > kChunk) flush();
    }
    text += "  </body>\n</tmx>\n";
    flush();
    file.finish();
}

}  // namespace dragoman::tm
