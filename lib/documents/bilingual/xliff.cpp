// SPDX-License-Identifier: Apache-2.0
// XLIFF: a target is written beside each source that has none. Where the source is cut into segments, the target is, too.
#include <algorithm>
#include <map>
#include <utility>

#include "documents/bilingual/source_content.h"
#include "documents/readers.h"

namespace dragoman::documents {
namespace {

using markup::Token;

class XliffReader {
public:
    explicit XliffReader(std::string_view source) : source_(source) {}

    void take(const Token& token) {
        if (content_.reads()) {
            if (content_.take(source_, token)) end_source(token);
            return;
        }
        const std::string_view name = local_name(token.name);
        if (token.kind == Token::Kind::start && name == "originalData") content_.data.clear();
        if (token.kind == Token::Kind::start && name == "data") data_ = attribute_of(source_, token, "id");
        if (token.kind == Token::Kind::text && !stack_.empty() && stack_.back().name == "data")
            content_.data[data_] += text::part(source_, token.content);
        if (token.kind == Token::Kind::start) {
            const bool kept = (!stack_.empty() && stack_.back().kept) ||
                              attribute_of(source_, token, "translate") == "no";
            const std::string space = attribute_of(source_, token, "xml:space");
            const bool preserve = space.empty() ? !stack_.empty() && stack_.back().preserve : space == "preserve";
            stack_.push_back({std::string(name), kept, preserve});
            const std::string_view parent = stack_.size() > 1 ? std::string_view(stack_[stack_.size() - 2].name) : "";
            if (parent == "trans-unit" || parent == "segment") start(token, name, kept);
            else if (in_target_ && !in_segment_ && is_segment(source_, token)) start_segment(token);
            if (name == "xliff" && attribute_of(source_, token, "version").starts_with("2"))
                note_language(token, "trgLang");
            if (name == "file" && language_.attribute != "trgLang") note_language(token, "target-language");
        } else if (token.kind == Token::Kind::end) {
            if (name == "target" && in_target_) end_target(token);
            if (in_segment_ && stack_.size() == segment_depth_) end_segment(token);
            if (name == "trans-unit" || name == "segment") end_unit();
            stack_.pop_back();
        } else if (token.kind == Token::Kind::text && in_target_ && text::trim(source_, token.content).size() > 0) {
            filled_ = true;
            if (in_segment_) segments_.back().filled = true;
        }
    }

    struct Language {
        std::string attribute;
        std::vector<Range> ends;  // places in tags that lack it
    };
    Units units;
    std::vector<BilingualPlace> places;
    const std::set<std::size_t>& gaps() const { return content_.gaps; }
    const Language& language() const { return language_; }

private:
    struct Element {
        std::string name;
        bool kept = false, preserve = false;
    };
    struct TargetSegment {
        std::string id;
        Range open{}, close{};  // tags
        bool self_closing = false, filled = false;
    };
    void note_language(const Token& token, std::string attribute) {
        language_.attribute = std::move(attribute);
        if (!token.attribute(language_.attribute)) language_.ends.push_back({token.bytes.end - 1, token.bytes.end});
    }
    void start(const Token& token, std::string_view name, bool kept) {
        // <seg-source> is the source once more, cut into segments.
        if ((name == "source" || name == "seg-source") && !token.self_closing && !kept) {
            content_.begin(token, stack_.back().preserve);
            tag_ = token.name.substr(0, token.name.size() - name.size()) + "target";
        } else if (name == "target") {
            in_target_ = true;
            target_ = token.bytes;
            filled_ = false;
        } else if (in_target_) {
            filled_ = true;
        }
    }
    void end_source(const Token& token) {
        stack_.pop_back();
        source_end_ = {token.bytes.end - 1, token.bytes.end};
        has_source_ = true;
    }
    void end_target(const Token& token) {
        in_target_ = false;
        target_.end = std::max(target_.end, token.bytes.end);
    }
    void start_segment(const Token& token) {
        segments_.push_back({attribute_of(source_, token, "mid"), token.bytes});
        segments_.back().self_closing = token.self_closing;
        in_segment_ = !token.self_closing;
        segment_depth_ = stack_.size();
    }
    void end_segment(const Token& token) {
        in_segment_ = false;
        segments_.back().close = token.bytes;
    }
    void end_unit() {
        if (has_source_ && !filled_) {
            const bool instead = target_.size() > 0;
            places.push_back({.bytes = instead ? target_ : source_end_,
                              .before = (instead ? "<" : "><") + tag_ + ">",
                              .after = "</" + tag_ + ">",
                              .content = content_.bytes(),
                              .segments = content_.finish(source_, units, /*messages=*/true)});
        } else if (has_source_) {
            fill_segments();
        }
        has_source_ = filled_ = false;
        target_ = {};
        segments_.clear();
    }
    // Segments of a target that have nothing yet, beside others that do.
    void fill_segments() {
        std::map<std::string, const TargetSegment*> empty;
        for (const TargetSegment& segment : segments_)
            if (!segment.filled) empty.emplace(segment.id, &segment);
        if (empty.empty()) return;
        const auto wanted = [&](const std::string& id) { return !id.empty() && empty.contains(id); };
        for (BilingualSegment& segment : content_.finish(source_, units, /*messages=*/true, wanted)) {
            const TargetSegment& target = *empty.at(segment.id);
            const std::size_t sign = target.open.end - (target.self_closing ? 2 : 1);
            const Range bytes{sign, target.self_closing ? target.open.end : target.close.begin};
            const Range content = segment.bytes;
            const std::string tag = name_in(target.open);
            places.push_back({bytes, ">", target.self_closing ? "</" + tag + ">" : "", content, {std::move(segment)}});
        }
    }
    // The name in a tag as it is written, with its prefix.
    std::string name_in(Range tag) const {
        const std::size_t end = source_.find_first_of(" \t\r\n/>", tag.begin);
        return std::string(source_.substr(tag.begin + 1, end - tag.begin - 1));
    }

    const std::string_view source_;
    SourceContent content_;
    std::vector<Element> stack_;
    std::vector<TargetSegment> segments_;  // of the unit's target
    std::size_t segment_depth_ = 0;
    std::string data_;  // the name of the open one
    std::string tag_;
    Range target_{}, source_end_{};
    bool has_source_ = false, in_target_ = false, in_segment_ = false, filled_ = false;
    Language language_;
};

}  // namespace

PartPtr read_xliff(std::string source, const Languages& languages) {
    XliffReader reader(source);
    read_xml(source, "document", false, [&](const Token& token) { reader.take(token); });
    const XliffReader::Language language = reader.language();
    auto part = std::make_unique<BilingualPart>(std::move(source), std::move(reader.units), std::move(reader.places),
                                                reader.gaps());
    for (const Range& end : language.ends)
        if (!languages.target.empty())
            part->replace(end, " " + language.attribute + "=\"" + escaped_attribute(languages.target) + "\">");
    return part;
}

}  // namespace dragoman::documents
