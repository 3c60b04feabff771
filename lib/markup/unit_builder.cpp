// SPDX-License-Identifier: Apache-2.0
#include "markup/unit_builder.h"

#include <algorithm>

#include "markup/ascii.h"
#include "markup/entities.h"
#include "text/amount.h"

namespace dragoman::markup {
namespace {

bool has_letter(std::string_view text) {
    for (std::size_t at = 0; at < text.size();)
        if (text::is_letter(text::next_character(text, at))) return true;
    return false;
}

// Marks that menus and headings have next to links do not belong to it: arrows, bars, pilcrows.
bool belongs_to_sentence(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = text::next_character(text, at);
        if (text::is_letter(c) || text::is_digit(c)) return true;
        if (c < 0x80 && std::string_view(".,;:!?()[]\"'%&").find(char(c)) != std::string_view::npos) return true;
        if (c == 0x2026 || c == 0x3001 || c == 0x3002 || (c >= 0xff01 && c <= 0xff20)) return true;
    }
    return false;
}

bool in_word(int32_t c) { return (text::is_letter(c) || text::is_digit(c)) && !text::is_unspaced(c); }

constexpr std::size_t kNowhere = SIZE_MAX, kLongestReference = 34;  // bytes

// Where a text's bytes or references begin that end at `at`, or end that begin there; kNowhere: another text is there.
std::size_t bytes_before(std::string_view source, std::size_t at, std::string_view text) {
    while (!text.empty()) {
        if (at == 0) return kNowhere;
        const std::size_t open = source[at - 1] == ';' ? source.rfind('&', at - 1) : source.npos;
        if (open != source.npos && at - open <= kLongestReference) {
            const Reference found = html_reference(source.substr(open), false);
            if (found.bytes == at - open && text.ends_with(found.text)) {
                at = open;
                text.remove_suffix(found.text.size());
                continue;
            }
        }
        if (source[--at] != text.back()) return kNowhere;
        text.remove_suffix(1);
    }
    return at;
}

std::size_t bytes_behind(std::string_view source, std::size_t at, std::string_view text) {
    while (!text.empty()) {
        if (at >= source.size()) return kNowhere;
        const Reference found = source[at] == '&' ? html_reference(source.substr(at), false) : Reference();
        if (found.bytes > 0 && text.starts_with(found.text)) {
            at += found.bytes;
            text.remove_prefix(found.text.size());
            continue;
        }
        if (source[at++] != text.front()) return kNowhere;
        text.remove_prefix(1);
    }
    return at;
}

}  // namespace

namespace {

// Whether a line begins with a dash or a star as one before it does.
bool goes_on_with_sign(std::string_view before, std::string_view line) {
    for (const std::string_view sign : {"-", "*", "+", "\u2013"}) {
        if (!line.starts_with(sign) || !(line.size() == sign.size() || is_blank(line[sign.size()]))) continue;
        constexpr std::size_t kLongestLine = 4096;  // bytes
        const std::size_t line_begin = before.substr(before.size() - std::min(before.size(), kLongestLine)).rfind('\n');
        if (line_begin != before.npos)
            before.remove_prefix(before.size() - std::min(before.size(), kLongestLine) + line_begin + 1);
        return before.starts_with(sign) && before.substr(sign.size()).starts_with(' ');
    }
    return false;
}

// Whether a line begins with the sign or the number of a list's item.
bool begins_item(std::string_view line) {
    std::size_t at = 0;
    const int32_t first = text::next_character(line, at);
    for (const int32_t bullet :
         {0x2022, 0x2023, 0x2043, 0x2219, 0x25aa, 0x25ab, 0x25b8, 0x25ba, 0x25cb, 0x25cf, 0x25e6, 0x2713, 0x2714})
        if (first == bullet) return true;
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    const bool numbered = digits > 0 && digits < 3 && digits < line.size() &&
                          (line[digits] == '.' || line[digits] == ')');
    return numbered && (digits + 1 == line.size() || is_blank(line[digits + 1]));
}

}  // namespace

bool divides(std::string_view left, std::string_view right) {
    if (begins_item(right) || goes_on_with_sign(left, right)) return true;
    std::size_t before = left.size(), after = 0;
    const int32_t last = text::previous_character(left, before), first = text::next_character(right, after);
    if (text::is_letter(first)) return text::is_upper(first);
    return !text::is_letter(last) && !text::is_digit(last) && last != ',';
}

void UnitBuilder::add_text(std::string_view source, const Token& token, References references) {
    source_ = source;
    const bool whole = token.content != token.bytes;  // a CDATA section goes with its marks
    const std::string_view within = source.substr(0, token.content.end);
    for (std::size_t at = token.content.begin; at < within.size();) {
        std::size_t end = at + 1;
        std::string read;
        if (within[at] == '&' && token.references) {
            if (Reference found = references(within.substr(at)); found.bytes > 0) {
                end = at + found.bytes;
                read = std::move(found.text);
            } else {
                read = "&";
            }
        } else if (!is_blank(within[at]) && within[at] != '\0') {
            while (end < within.size() && !is_blank(within[end]) && within[end] != '\0' && within[end] != '&') ++end;
            read = within.substr(at, end - at);
        } else {
            read = within[at] == '\0' ? "" : " ";
        }
        if (!read.empty()) add(read, whole ? token.bytes : Range{at, end});
        at = end;
    }
}

void UnitBuilder::add(std::string_view characters, Range bytes) {
    if (characters.size() == 1 && is_blank(characters.front())) {
        blank_ = true;
        if (last_seen_ != kNoMark) events_[last_seen_].blank_after = true;
        last_seen_ = kNoMark;
        return;
    }
    if (!blank_) separate(characters);
    if (!text_.empty() && blank_) add_blank(characters);
    if (stretch_ended_) stretches_.push_back({{bytes.begin, bytes.end}, {text_.size(), text_.size()}});
    stretch_ended_ = false;
    text_ += characters;
    Stretch& stretch = stretches_.back();
    stretch.bytes.end = bytes.end;
    stretch.plain.end = text_.size();
    stretch.words = stretch.words || belongs_to_sentence(characters);
    letters_ = letters_ || has_letter(characters);
    blank_ = closed_ = between_elements_ = behind_point_ = false;
    divider_ = ' ';
    last_seen_ = kNoMark;
}

void UnitBuilder::add_blank(std::string_view next) {
    text_ += divider_ == '\n' && !divides(text_, next) ? ' ' : divider_;
}

// Neighbouring elements, as in a menu, are separate words, though there is no blank between them.
void UnitBuilder::separate(std::string_view next) {
    if (joins_ || !(between_elements_ || behind_point_) || text_.empty()) return;
    for (auto event = events_.rbegin(); event != events_.rend() && event->plain == text_.size(); ++event)
        if (!event->closes && (event->script == Script::raised || event->script == Script::lowered)) return;
    std::size_t left = text_.size(), right = 0;
    const int32_t last = text::previous_character(text_, left);
    const bool apart = between_elements_ ? in_word(last) : last == ':';  // "Name:<input>Age:<input>"
    if (apart && in_word(text::next_character(next, right))) blank_ = true;
}

std::size_t UnitBuilder::open(Range tag, Script script) {
    if (closed_) between_elements_ = true;
    stretch_ended_ = true;
    events_.push_back(
        {.kind = Mark::Kind::pair, .bytes = tag, .plain = behind_blank(), .text = text_.size(), .script = script});
    return events_.size() - 1;
}

void UnitBuilder::close(Range tag, std::size_t opened) {
    if (opened != kNoMark && is_gap(opened)) return close_gap(tag, opened);
    closed_ = true;
    stretch_ended_ = true;
    if (opened != kNoMark) events_[opened].other = events_.size();
    events_.push_back({.kind = Mark::Kind::pair, .closes = true, .bytes = tag, .plain = text_.size(), .other = opened});
}

// Whether an open element has nothing in it but no-break spaces and blanks.
bool UnitBuilder::is_gap(std::size_t opened) const {
    const std::size_t begin = events_[opened].text;
    if (opened + 1 != events_.size() || text_.size() == begin || events_[opened].loose) return false;
    for (std::size_t at = begin; at < text_.size();)
        if (!text::is_space(text::next_character(text_, at))) return false;
    return true;
}

// Such an element keeps what it has, as one point that is a blank between words.
void UnitBuilder::close_gap(Range tag, std::size_t opened) {
    const Event begun = events_[opened];
    events_.pop_back();
    text_.resize(begun.text);
    while (!stretches_.empty() && stretches_.back().bytes.begin >= begun.bytes.end) stretches_.pop_back();
    stretch_ended_ = true;
    events_.push_back({.bytes = {begun.bytes.begin, tag.end}, .plain = behind_blank()});
    blank_ = true;
    last_seen_ = kNoMark;
}

void UnitBuilder::point(Range bytes, bool seen) {
    const bool blank_before = seen && blank_ && last_seen_ == kNoMark;
    if (seen) last_seen_ = events_.size();
    behind_point_ = behind_point_ || seen;
    stretch_ended_ = true;
    events_.push_back({.blank_before = blank_before, .bytes = bytes, .plain = behind_blank()});
}

void UnitBuilder::literal(Range bytes, std::string_view text) {
    if (blank_ && !text_.empty()) add_blank(text);
    const Range plain{text_.size(), text_.size() + text.size()};
    text_ += text;
    events_.push_back({.kind = Mark::Kind::literal, .bytes = bytes, .plain = plain.begin, .plain_end = plain.end});
    stretches_.push_back({bytes, plain, true});
    stretch_ended_ = true;
    blank_ = closed_ = between_elements_ = behind_point_ = false;
    divider_ = ' ';
    last_seen_ = kNoMark;
}

void UnitBuilder::kept(Range bytes, bool code) {
    const std::string name = "_" + std::to_string(++names_);
    literal(bytes, code ? "`" + name + "`" : "{" + name + "}");
}

void UnitBuilder::gap(Range bytes, char divider) {
    blank_ = true;
    events_.push_back({.bytes = bytes, .plain = behind_blank()});
    divider_ = divider_ == ' ' ? divider : '\t';  // two of them always divide
    last_seen_ = kNoMark;
}

void UnitBuilder::ends_untold(std::size_t opened) { events_[opened].loose = true; }

// The place of the next character.
std::size_t UnitBuilder::behind_blank() const { return text_.size() + (blank_ && !text_.empty()); }

void UnitBuilder::loose(Range tag) {
    stretch_ended_ = true;
    events_.push_back({.loose = true, .bytes = tag, .plain = behind_blank()});
}

// Finds elements that end while others are open that began in them.
void UnitBuilder::find_loose() {
    std::vector<std::size_t> open;
    for (std::size_t i = events_.size(); i-- > 0;)
        if (events_[i].closes && events_[i].other == kNoMark) open.push_back(i);  // open from the beginning
    for (std::size_t i = 0; i < events_.size(); ++i) {
        Event& event = events_[i];
        if (event.kind != Mark::Kind::pair) continue;
        if (!event.closes) {
            if (!event.loose) open.push_back(i);
            continue;
        }
        const std::size_t begun = event.other == kNoMark ? i : event.other;
        if (events_[begun].loose) {
            event.loose = true;
            continue;
        }
        for (; open.back() != begun; open.pop_back()) events_[open.back()].loose = true;
        open.pop_back();
    }
}

// The text with the tags of elements that begin or end in it.
Range UnitBuilder::extent(Range text) const {
    Range extent = text;
    for (const Event& event : events_) {
        if (!event.closes || event.other == kNoMark || event.loose) continue;
        const Range open = events_[event.other].bytes, close = event.bytes;
        const bool begins_inside = open.begin >= text.begin && open.begin < text.end;
        const bool ends_inside = close.begin > text.begin && close.begin < text.end;
        if (ends_inside) extent.begin = std::min(extent.begin, open.begin);
        if (begins_inside) extent.end = std::max(extent.end, close.end);
    }
    return extent;
}

// The stretches without the wordless ones at both ends, if no tag needs these.
Range UnitBuilder::worded() const {
    const Range all{0, stretches_.size()};
    Range inner = all;
    while (inner.begin < inner.end && !stretches_[inner.begin].words) ++inner.begin;
    while (inner.end > inner.begin && !stretches_[inner.end - 1].words) --inner.end;
    if (inner == all || inner.size() == 0) return all;
    const Range bytes = extent({stretches_[inner.begin].bytes.begin, stretches_[inner.end - 1].bytes.end});
    const bool needs_left = inner.begin > 0 && stretches_[inner.begin - 1].bytes.end > bytes.begin;
    const bool needs_right = inner.end < all.end && stretches_[inner.end].bytes.begin < bytes.end;
    return needs_left || needs_right ? all : inner;
}

std::vector<Mark> UnitBuilder::marks(Range extent, Range plain_text) {
    std::vector<Mark> marks;
    std::vector<std::size_t> open;
    const auto add = [&](Mark mark) {
        mark.parent = open.empty() ? kNoMark : open.back();
        if (mark.kind == Mark::Kind::pair) open.push_back(marks.size());
        marks.push_back(mark);
    };
    const auto within = [&](std::size_t plain) {
        return std::clamp(plain, plain_text.begin, plain_text.end) - plain_text.begin;
    };
    const auto inside = [&](const Event& event) {
        return event.bytes.begin >= extent.begin && event.bytes.end <= extent.end;
    };
    for (std::size_t i = events_.size(); i-- > 0;) {
        const Event& event = events_[i];
        if (event.closes && event.other == kNoMark && !event.loose && inside(event))
            add({.close = event.bytes, .plain = {0, within(event.plain)}});
    }
    std::size_t latest = 0;
    for (const Event& event : events_) {
        if (!inside(event)) continue;
        // Consecutive tags keep their order, though some are before a blank and some after it.
        const std::size_t plain = latest = std::max(latest, within(event.plain));
        if (event.kind == Mark::Kind::literal) {
            latest = within(event.plain_end);
            add({.kind = Mark::Kind::literal, .open = event.bytes, .plain = {plain, std::max(plain, latest)}});
        } else if (event.kind == Mark::Kind::point || event.loose) {
            in_order_ = in_order_ || event.loose;
            add({.kind = Mark::Kind::point,
                 .open = event.bytes,
                 .plain = {plain, plain},
                 .blank_before = event.blank_before,
                 .blank_after = event.blank_after});
        } else if (!event.closes) {
            const bool ends = event.other != kNoMark;
            add({.open = event.bytes,
                 .close = ends ? events_[event.other].bytes : Range(),
                 .plain = {plain, std::max(plain, ends ? within(events_[event.other].plain) : plain_text.size())},
                 .script = event.script});
        } else {
            open.pop_back();
        }
    }
    return marks;
}

// The text beside the elements is the document's own bytes or references, or it is not known what they are.
Range UnitBuilder::bytes_of(const Glued& glued, std::string_view plain) const {
    if (glued.tags.end > source_.size()) return {};
    const std::size_t begin = bytes_before(source_, glued.tags.begin, plain.substr(glued.plain.begin, glued.before));
    const std::size_t end = bytes_behind(source_, glued.tags.end,
                                         plain.substr(glued.plain.end - glued.after, glued.after));
    return begin != kNowhere && end != kNowhere ? Range{begin, end} : Range();
}

void UnitBuilder::finish(Units& units) {
    if (letters_ || text::is_amount(text_)) {
        find_loose();
        const Range stretches = worded();
        const Stretch &first = stretches_[stretches.begin], &last = stretches_[stretches.end - 1];
        const Range plain{first.plain.begin, last.plain.end};
        Unit unit{.bytes = extent({first.bytes.begin, last.bytes.end})};
        unit.marks = marks(unit.bytes, plain);
        unit.in_order = in_order_;
        std::string text(text::part(text_, plain));
        const std::string whole = text;
        if (!in_order_)
            set_glued_apart(unit.marks, text, literals_, [&](const Glued& glued) { return bytes_of(glued, text); });
        if (letters_ && !has_letter(text)) text = whole, unit.marks = marks(unit.bytes, plain);
        if (letters_ || is_whole_amount(unit.marks, text)) {
            unit.plain = {units.text.size(), units.text.size() + text.size()};
            units.text += text;
            units.text += "\n\n";
            units.units.push_back(std::move(unit));
        }
    }
    const std::size_t number = number_ + 1;
    *this = UnitBuilder(literals_);
    number_ = number;
}

}  // namespace dragoman::markup
