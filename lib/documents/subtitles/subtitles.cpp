// SPDX-License-Identifier: Apache-2.0
// Timing, numbers and styling stay; a sentence that goes on in the next cue is translated as a whole and divided among
// its cues again, where the alignment of its words says.
#include <algorithm>
#include <set>

#include "documents/readers.h"
#include "documents/subtitles/file.h"
#include "documents/subtitles/layout.h"
#include "documents/subtitles/marked.h"
#include "documents/subtitles/overrides.h"
#include "markup/aligned_unit.h"
#include "text/capitals.h"

namespace dragoman::documents {
namespace {

constexpr uint64_t kGap = 2000;  // milliseconds: a sentence does not continue in a cue that begins later than this
constexpr std::size_t kMostTurns = 8;    // in a cue
constexpr std::size_t kMaxCues = 6;  // with more cues it is not a sentence but a text without full stops

// The words of one speaker in one cue, or a sound beside them: "[door closes]".
struct Piece {
    std::size_t cue = 0;
    Marked marked{};
    bool first = false, last = false;  // of its cue
    bool sound = false;
    bool speaker = false;    // a speaker's name, "TOM:"; a sound as well
    bool same_line = false;  // as the piece before
};

// Every `from` that is there, or comes to be by this, becomes `to`.
std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        result += c;
        if (!result.ends_with(from)) continue;
        result.resize(result.size() - from.size());
        result += to;
    }
    return result;
}

// Joins lines that continue in the same style: "<i>one</i>" "<i>two</i>" becomes "<i>one two</i>".
std::string join_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : " ") + line;
    for (const char* seam : {"</i> <i>", "</b> <b>", "</u> <u>", "{\\i0} {\\i1}", "{\\b0} {\\b1}"})
        text = replaced(text, seam, " ");
    return text;
}

bool starts_with_dash(const Marked& marked) {
    const auto has = [&](std::string_view mark) { return marked.before.find(mark) != std::string::npos; };
    return has("-") || has("–") || has("—") || has(">>") || has("&gt;&gt;");
}

bool ends_sentence(std::string_view text) {
    const auto drop = [&](std::string_view mark) {
        const bool found = text.ends_with(mark);
        if (found) text.remove_suffix(mark.size());
        return found;
    };
    while (drop("\"") || drop("'") || drop(")") || drop("]") || drop("”") || drop("’") || drop("“") || drop("»") ||
           drop("«") || drop(" ")) {}
    return drop(".") || drop("!") || drop("?") || drop("…") || drop("。") || drop("！") || drop("？");
}

// The place of the next speaker's mark in a line, " - Yes.", " >> Yes."; the line's end if there is none.
std::size_t next_turn(std::string_view line, Format format) {
    if (!starts_with_dash(take_markup(line, format))) return line.size();
    std::size_t tried = 0;
    for (const std::string_view dash : {" - ", " – ", " — ", " >> ", " &gt;&gt; "})
        for (std::size_t at = line.find(dash); at != line.npos && ++tried <= kMostTurns; at = line.find(dash, at + 1))
            if (ends_sentence(take_markup(line.substr(0, at), format).text)) return at;
    return line.size();
}

// Whether all that is said is a sound in brackets.
bool is_sound(std::string_view text) {
    if (text.size() < 3) return false;
    const bool square = text.front() == '[' && text.back() == ']', round = text.front() == '(' && text.back() == ')';
    return (square || round) && text.find_first_of("[]()", 1) == text.size() - 1;
}

// Lines of one speaker each; a sound in a line of its own stays in that.
std::vector<std::string> turns_of(const std::vector<std::string>& lines, Format format) {
    std::vector<std::vector<std::string>> turns;
    bool behind_sound = false;
    for (const std::string& line : lines) {
        const Marked marked = take_markup(line, format);
        const bool sound = is_sound(marked.text);
        const bool begins = turns.empty() || starts_with_dash(marked) || sound || behind_sound;
        behind_sound = sound;
        if (begins) turns.emplace_back();
        turns.back().push_back(line);
    }
    std::vector<std::string> joined;
    for (const auto& turn : turns) {
        std::string rest = join_lines(turn);
        for (std::size_t at; joined.size() < kMostTurns && (at = next_turn(rest, format)) < rest.size();
             rest = rest.substr(at + 1))
            joined.push_back(rest.substr(0, at));
        joined.push_back(rest);
    }
    return joined;
}

// The end of a sound at a turn's beginning, with its blank; 0: there is none. In round brackets it is one only before a
// new sentence or in capitals.
std::size_t sound_end(std::string_view line, Format format) {
    const Marked marked = take_markup(line, format);
    const char open = marked.text.empty() ? ' ' : marked.text.front();
    if (open != '[' && open != '(') return 0;
    const std::size_t close = line.find(open == '[' ? "] " : ") ");
    if (close == line.npos) return 0;
    const std::string_view rest = line.substr(close + 2);
    if (!has_words(take_markup(rest, format).text)) return 0;
    std::size_t at = 0;
    const std::string next = take_markup(rest, format).text;
    const bool capital = text::is_upper(text::next_character(next, at));
    return open == '[' || capital ? close + 2 : 0;
}

// The end of a speaker's name in capitals at a turn's beginning, "MAN 1: Stop!", with its blank; 0: there is none.
std::size_t speaker_end(std::string_view line, Format format) {
    constexpr std::size_t kLongest = 32, kMostBlanks = 3;
    const std::string text = take_markup(line, format).text;
    const std::size_t colon = text.find(": ");
    if (colon == text.npos || colon > kLongest) return 0;
    const std::string_view name = std::string_view(text).substr(0, colon);
    std::size_t letters = 0;
    for (std::size_t at = 0; at < name.size();) {
        const int32_t c = text::next_character(name, at);
        letters += text::is_letter(c);
        const bool joint = c == ' ' || c == '.' || c == '-' || c == '#' || c == '\'' || c == 0x2019;
        if (text::is_lower(c) || !(text::is_letter(c) || text::is_digit(c) || joint)) return 0;
    }
    if (letters < 2 || std::size_t(std::ranges::count(name, ' ')) > kMostBlanks) return 0;
    const std::string written = std::string(name) + ": ";
    const std::size_t at = line.find(written);
    if (at == line.npos || !has_words(take_markup(line.substr(at + written.size()), format).text)) return 0;
    return at + written.size();
}

std::vector<Piece> pieces_of(const SubtitleFile& file) {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < file.cues.size(); ++i) {
        const std::size_t begin = pieces.size();
        for (const std::string& turn : turns_of(file.cues[i].text, file.format)) {
            const std::size_t speaker = speaker_end(turn, file.format);
            if (speaker > 0)
                pieces.push_back({.cue = i,
                                  .marked = take_markup(turn.substr(0, speaker - 1), file.format),
                                  .sound = true,
                                  .speaker = true});
            const std::string own = turn.substr(speaker);
            const std::size_t sound = sound_end(own, file.format);
            if (sound > 0)
                pieces.push_back({.cue = i,
                                  .marked = take_markup(own.substr(0, sound - 1), file.format),
                                  .sound = true,
                                  .same_line = speaker > 0});
            Marked said = take_markup(own.substr(sound), file.format);
            const bool only_sound = is_sound(said.text);
            pieces.push_back(
                {.cue = i, .marked = std::move(said), .sound = only_sound, .same_line = speaker + sound > 0});
        }
        if (begin == pieces.size()) continue;
        pieces[begin].first = pieces.back().last = true;
    }
    return pieces;
}

// Groups pieces that are translated as one text.
std::vector<Range> group(const SubtitleFile& file, const std::vector<Piece>& pieces) {
    const auto goes_on = [&](const Piece& a, const Piece& b) {
        const Cue& first = file.cues[a.cue];
        const Cue& second = file.cues[b.cue];
        return a.last && b.first && !a.sound && !b.sound && b.cue == a.cue + 1 && a.marked.after.empty() &&
               b.marked.before.empty() && has_words(a.marked.text) && has_words(b.marked.text) &&
               second.begin_ms >= first.begin_ms && second.begin_ms <= first.end_ms + kGap &&
               first.voice == second.voice && !first.placed && !second.placed && !ends_sentence(a.marked.text);
    };
    std::vector<Range> groups;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0 && groups.back().size() < kMaxCues && goes_on(pieces[i - 1], pieces[i])) groups.back().end = i + 1;
        else groups.push_back({i, i + 1});
    }
    return groups;
}

// Replaces what would end a cue, which its text must not contain.
std::string in_one_line(std::string text, Format format) {
    for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c;
    return format == Format::ass ? text : replaced(text, "-->", "→");
}

// For each cut between two cues, how many words of a translation are on the wrong side.
class WordSides {
public:
    WordSides(const markup::AlignedUnit& words, const std::vector<std::size_t>& ends) : places_(words.target()) {
        for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
            const std::size_t first = words.words_in({0, ends[i]}).end;  // source word behind the cut
            std::vector<double>& early = early_.emplace_back(places_.size() + 1, 0.0);
            for (std::size_t w = 0; w < places_.size(); ++w) early[w + 1] = early[w] + share_before(words, w, first);
        }
    }
    double misplaced(std::size_t i, std::size_t byte) const {
        const auto before = std::size_t(std::ranges::upper_bound(places_, byte, {}, &Range::end) - places_.begin());
        const std::vector<double>& early = early_[i];
        // Where clauses change places, no cut is good, and one in the middle is no worse than others.
        return std::max(double(before) - early[before], early.back() - early[before]);
    }

private:
    // The share of a target word that belongs to source words before `first`.
    static double share_before(const markup::AlignedUnit& words, std::size_t w, std::size_t first) {
        double before = 0, all = 0;
        for (std::size_t v = 0; v < words.source().size();) {
            const markup::AlignedUnit::Sentence& sentence = words.sentence_of(v);
            if (w >= sentence.target.begin && w < sentence.target.end) {
                before +=
                    words.share(sentence, w,
                                {sentence.source.begin, std::clamp(first, sentence.source.begin, sentence.source.end)});
                all += words.share(sentence, w, sentence.source);
            }
            v = std::max(v + 1, sentence.source.end);
        }
        return all > 0 ? before / all : 0.5;
    }
    const std::vector<Range> places_;  // of the translation's words
    std::vector<std::vector<double>> early_;  // for each cut, the sum over the words before each
};

// Moves times behind those that come before them.
void put_in_order(const Unit& unit, std::vector<Range>& places) {
    std::size_t last = 0;
    for (std::size_t m = 0; m < unit.marks.size(); ++m) {
        if (unit.marks[m].kind != markup::Mark::Kind::point) continue;
        last = std::max(last, places[m].begin);
        places[m] = {last, last};
    }
}

class Subtitles final : public Part {
public:
    Subtitles(std::string source, SubtitleFile (*parse)(std::string_view))
        : source_(std::move(source)), file_(parse(source_)), pieces_(pieces_of(file_)), groups_(group(file_, pieces_)) {
        for (const Range& group : groups_) {
            std::string text;
            std::vector<markup::Mark> marks;
            std::vector<TagPair>& tags = tags_.emplace_back();
            for (std::size_t i = group.begin; i < group.end; ++i) {
                if (!text.empty()) text += ' ';
                add_marks(pieces_[i].marked, text.size(), marks, tags);
                text += pieces_[i].marked.text;
            }
            if (is_said(group)) add_unit(units_, {}, text);
            own_.push_back({std::move(text), {}, {}});
            for (const markup::Mark& mark : marks) own_.back().places.push_back(mark.plain);
            if (!is_said(group)) continue;
            Unit& unit = units_.units.back();
            unit.in_order = std::ranges::any_of(marks, [](const markup::Mark& mark) {
                return mark.kind == markup::Mark::Kind::point;  // times, and tags that do not nest
            });
            unit.marks = std::move(marks);
        }
    }

    const Units& units() const override { return units_; }

    std::string write(std::span<const Translation> translations) const override {
        std::set<std::size_t> changed;  // cues
        std::vector<Text> texts = own_;
        for (std::size_t unit = 0, g = 0; g < groups_.size(); ++g) {
            if (!is_said(groups_[g])) continue;
            const Translation& translation = translations[unit];
            const Unit& source = units_.units[unit++];
            std::string target = in_one_line(translation.text, file_.format);
            if (target == own_[g].text || text::trim(target, {0, target.size()}).size() == 0) continue;
            texts[g].places = markup::project(source, own_[g].text, target, translation.sentences);
            if (source.in_order) put_in_order(source, texts[g].places);
            if (pieces_[groups_[g].begin].speaker) text::to_capitals(target, texts[g].places, "");
            texts[g].text = std::move(target);
            texts[g].sentences = translation.sentences;
            for (std::size_t i = groups_[g].begin; i < groups_[g].end; ++i) changed.insert(pieces_[i].cue);
        }
        if (changed.empty()) return source_;
        spread(changed);
        SubtitleFile file = file_;
        for (const std::size_t cue : changed) file.cues[cue].text.clear();
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (changed.contains(pieces_[groups_[g].begin].cue)) put(g, texts[g], file);
        for (const std::size_t cue : changed) {
            if (!is_wrapped(file_.cues[cue])) continue;
            std::vector<std::string> lines;
            for (const std::string& line : file.cues[cue].text)
                for (std::string& one : wrap(line)) lines.push_back(std::move(one));
            file.cues[cue].text = std::move(lines);
        }
        return print_subtitles(file);
    }

private:
    // Players of SubStation Alpha break lines themselves where the file does not.
    bool is_wrapped(const Cue& cue) const {
        return file_.format != Format::ass || (cue.text.size() > 1 && std::ranges::none_of(cue.text, has_hidden_text));
    }

    bool is_said(Range group) const { return has_words(pieces_[group.begin].marked.text); }

    // Cues that share a group with one that is written anew are, too.
    void spread(std::set<std::size_t>& changed) const {
        const auto take = [&](const Range& group) {
            const std::size_t first = pieces_[group.begin].cue, last = pieces_[group.end - 1].cue;
            const auto found = changed.lower_bound(first);
            if (found == changed.end() || *found > last) return;
            for (std::size_t cue = first; cue <= last; ++cue) changed.insert(cue);
        };
        for (const Range& group : groups_) take(group);
        for (std::size_t g = groups_.size(); g-- > 0;) take(groups_[g]);
    }

    // The text of a group, its sentences, and the places of its tags.
    struct Text {
        std::string text;
        std::vector<Range> places;
        std::vector<markup::AlignedSentence> sentences{};
    };

    std::vector<Range> parts_of(std::size_t g, const Text& text) const {
        std::vector<CueRoom> rooms;
        std::vector<std::size_t> ends;  // in the group's source
        std::size_t at = 0;
        for (std::size_t i = groups_[g].begin; i < groups_[g].end; ++i) {
            const Cue& cue = file_.cues[pieces_[i].cue];
            rooms.push_back({visible_length(pieces_[i].marked.text), cue.end_ms - cue.begin_ms});
            ends.push_back(at += pieces_[i].marked.text.size());
            ++at;
        }
        if (rooms.size() == 1) return {{0, text.text.size()}};
        if (text.text.size() > kLongestDivided) return divide(text.text, rooms, [](auto, auto) { return 0.0; });
        std::vector<markup::AlignedSentence> sentences = text.sentences;
        if (sentences.empty()) sentences.push_back({{0, own_[g].text.size()}, {0, text.text.size()}, {}});
        const WordSides sides(markup::AlignedUnit(own_[g].text, text.text, sentences, false), ends);
        return divide(text.text, rooms, [&](std::size_t i, std::size_t byte) { return sides.misplaced(i, byte); });
    }

    void put(std::size_t g, const Text& text, SubtitleFile& file) const {
        const Range group = groups_[g];
        const std::vector<Range> parts = parts_of(g, text);
        const std::vector<std::string> tagged = put_tags(text.text, parts, tags_[g], text.places, file.format);
        for (std::size_t i = group.begin; i < group.end; ++i) {
            const Marked& frame = pieces_[i].marked;
            std::vector<std::string>& lines = file.cues[pieces_[i].cue].text;
            std::string line = frame.prefix + tagged[i - group.begin] + frame.suffix;
            if (pieces_[i].same_line && !lines.empty()) lines.back() += " " + line;
            else lines.push_back(std::move(line));
        }
    }

    const std::string source_;
    const SubtitleFile file_;
    const std::vector<Piece> pieces_;
    const std::vector<Range> groups_;
    std::vector<std::vector<TagPair>> tags_;  // for each group
    std::vector<Text> own_;
    Units units_;
};

}  // namespace

PartPtr read_subtitles(std::string source) { return std::make_unique<Subtitles>(std::move(source), parse_subtitles); }

PartPtr read_substation(std::string source) { return std::make_unique<Subtitles>(std::move(source), parse_substation); }

}  // namespace dragoman::documents
