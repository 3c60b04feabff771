// SPDX-License-Identifier: Apache-2.0
// SubStation Alpha (.ssa, .ass): the texts of dialogues. Styles, comments and embedded files stay, and so do lines that
// programs have made of others for effects.
#include <algorithm>
#include <array>

#include "documents/subtitles/file.h"
#include "documents/subtitles/overrides.h"
#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

constexpr std::string_view kDialogue = "Dialogue:", kFormat = "Format:";

std::string_view bare(std::string_view text) { return text::part(text, text::trim(text, {0, text.size()})); }

// Reads "h:mm:ss.cc"; the last field may have one to three digits. False: it is no time.
bool parse_stage_time(std::string_view text, uint64_t& milliseconds) {
    std::array<uint64_t, 4> fields{};
    std::size_t field = 0, digits = 0;
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            if (++digits > (field == 3 ? 3 : 6)) return false;
            fields[field] = fields[field] * 10 + uint64_t(c - '0');
        } else {
            if (digits == 0 || field == 3 || c != (field == 2 ? '.' : ':')) return false;
            ++field;
            digits = 0;
        }
    }
    if (field != 3 || digits == 0 || fields[1] > 59 || fields[2] > 59) return false;
    constexpr std::array<uint64_t, 4> kUnit{0, 100, 10, 1};
    milliseconds = ((fields[0] * 60 + fields[1]) * 60 + fields[2]) * 1000 + fields[3] * kUnit[digits];
    return true;
}

class SubstationReader {
public:
    explicit SubstationReader(std::string_view file) : document_(without_cues(file)) { document_.format = Format::ass; }

    SubtitleFile read() {
        bool events = false;
        for (at_ = 0; at_ < document_.lines.size(); ++at_) {
            const std::string_view line = document_.lines[at_];
            if (line.starts_with('[')) events = markup::lower(bare(line)) == "[events]";
            else if (events && line.starts_with(kFormat)) read_format(line.substr(kFormat.size()));
            else if (events && line.starts_with(kDialogue)) read_dialogue(line);
        }
        return std::move(document_);
    }

private:
    void read_format(std::string_view names) {
        names_.clear();
        for (bool more = true; more;) {
            const std::size_t comma = names.find(',');
            more = comma != names.npos;
            names_.push_back(markup::lower(bare(names.substr(0, comma))));
            names.remove_prefix(more ? comma + 1 : 0);
        }
        if (names_.back() != "text") refuse_line(at_, "expected Text as the last field, got '" + names_.back() + "'");
    }

    void read_dialogue(std::string_view line) {
        Cue cue{.first_line = at_, .line_count = 1};
        std::size_t at = kDialogue.size();
        for (std::size_t i = 0; i + 1 < names_.size(); ++i) {
            const std::size_t comma = line.find(',', at);
            if (comma == line.npos)
                refuse_line(at_, "expected " + std::to_string(names_.size()) + " fields, got " + std::to_string(i + 1));
            if (!take(names_[i], bare(line.substr(at, comma - at)), cue)) return;
            at = comma + 1;
        }
        if (cue.end_ms < cue.begin_ms)
            refuse_line(at_, "the dialogue ends at " + std::to_string(cue.end_ms) + " ms, before it begins at " +
                                 std::to_string(cue.begin_ms) + " ms");
        cue.head = line.substr(0, at);
        cue.line_break = "\\N";
        take_lines(line.substr(at), cue);
        cue.placed = has_place(line.substr(at));
        document_.cues.push_back(std::move(cue));
    }

    // False: a program has made the line.
    bool take(std::string_view name, std::string_view value, Cue& cue) const {
        if (name == "effect" && value == "fx") return false;
        uint64_t* const time = name == "start" ? &cue.begin_ms : name == "end" ? &cue.end_ms : nullptr;
        if (time && !parse_stage_time(value, *time))
            refuse_line(at_, "expected a time of the form h:mm:ss.cc, got '" + std::string(value) + "'");
        if (name == "layer" || name == "style" || name == "name" || name == "actor")
            cue.voice.append(value).append(",");
        return true;
    }

    // Cuts a text at line breaks outside braces.
    static void take_lines(std::string_view text, Cue& cue) {
        std::size_t begin = 0;
        for (std::size_t at = 0; at < text.size();) {
            if (const std::size_t size = override_length(text.substr(at)); size > 0) {
                at += size;
            } else if (text.substr(at, 2) == "\\N" || text.substr(at, 2) == "\\n") {
                if (cue.text.empty()) cue.line_break = text.substr(at, 2);
                cue.text.emplace_back(text.substr(begin, at - begin));
                begin = at += 2;
            } else {
                at += text.substr(at).starts_with("\\{") ? 2 : 1;
            }
        }
        cue.text.emplace_back(text.substr(begin));
    }

    SubtitleFile document_;
    std::size_t at_ = 0;
    std::vector<std::string> names_{"layer",   "start",   "end",     "style",  "name",
                                    "marginl", "marginr", "marginv", "effect", "text"};
};

}  // namespace

SubtitleFile parse_substation(std::string_view file) { return SubstationReader(file).read(); }

}  // namespace dragoman::documents
