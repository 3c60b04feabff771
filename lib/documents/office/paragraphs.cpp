// SPDX-License-Identifier: Apache-2.0
#include "documents/office/paragraphs.h"

#include <algorithm>
#include <array>
#include <utility>

#include "documents/is_one.h"
#include "documents/office/runs.h"
#include "markup/ascii.h"
#include "markup/entities.h"

namespace dragoman::documents {
namespace {

using markup::Token;
using Kind = RunItem::Kind;

constexpr std::array<std::string_view, 9> kContainers{"hyperlink", "ins", "moveTo", "smartTag",  "sdt",
                                                      "customXml", "dir", "bdo",    "sdtContent"};
constexpr std::array<std::string_view, 6> kEdges{"pPr", "endParaRPr", "rPh", "phoneticPr", "bodyPr", "lstStyle"};
constexpr std::array<std::string_view, 3> kDropped{"proofErr", "lastRenderedPageBreak", "softHyphen"};
constexpr std::array<std::string_view, 6> kUnseen{"lang", "noProof", "rPrChange", "proofErr", "webHidden", "noBreak"};
constexpr std::array<std::string_view, 7> kUnseenAttributes{"lang",    "altLang",  "dirty", "err",
                                                            "noProof", "smtClean", "smtId"};
constexpr std::array<std::string_view, 3> kGaps{"tab", "br", "cr"};
constexpr std::array<std::string_view, 5> kWords{"oMath", "fld", "fldSimple", "sym", "pgNum"};
constexpr std::array<std::string_view, 5> kSeen{"drawing", "pict", "object", "fld", "fldSimple"};

// Whether an attribute says what a picture, a drawing or a table shows, or where a link leads.
bool is_alternative_text(const Token& token, const markup::Attribute& attribute) {
    const std::string_view element = local_name(token.name), name = local_name(attribute.name);
    if (element == "docPr" || element == "cNvPr") return name == "descr" || name == "title";
    if (element == "hyperlink" || element == "hlinkClick" || element == "hlinkHover") return name == "tooltip";
    if (element == "tblCaption" || element == "tblDescription") return name == "val";
    return token.name.starts_with("v:") && name == "alt";
}

class ParagraphReader {
public:
    ParagraphReader(std::string source, const RunElements& elements, const std::set<std::string>& kept)
        : source_(source), elements_(elements), kept_(kept),
          part_(std::make_unique<RunPart>(std::move(source), elements.preserve, elements.lines)) {}

    void take(const Token& token) {
        if (token.kind == Token::Kind::start) start(token);
        else if (token.kind == Token::Kind::end) end(token);
        else if (token.kind == Token::Kind::text) text(token);
    }
    PartPtr finish() { return std::move(part_); }

private:
    enum class Role { outside, paragraph, container, head, run, properties, text, kept, dropped, point };
    struct Element {
        Role role = Role::outside;
        Range tag{};
        std::string name{};
        std::size_t item = 0;  // of a container: the item that opens it
    };
    // An open paragraph, and how many elements were open when it began.
    struct Open {
        RunParagraph paragraph;
        std::size_t depth = 0;
        std::size_t run = kNoRun;
        std::string field, instruction;  // for the current point
        bool seen = false, gap = false, tab = false, word = false, hyphen = false;
    };

    bool is_paragraph(std::string_view name) const {
        return std::ranges::find(elements_.paragraphs, name) != elements_.paragraphs.end();
    }

    Role role_of(std::string_view name, Role parent) const {
        if (parent != Role::paragraph && parent != Role::container && parent != Role::run && is_paragraph(name))
            return Role::paragraph;
        switch (parent) {
            case Role::paragraph:
            case Role::container:
                if (parent == Role::container && name.ends_with("Pr")) return Role::head;
                if (is_one(kEdges, name)) return Role::kept;
                if (is_one(kDropped, name)) return Role::dropped;
                if (name == "r") return Role::run;
                if (name == "t") return Role::text;
                return is_one(kContainers, name) ? Role::container : Role::point;
            case Role::run:
                if (name == "rPr") return Role::properties;
                if (name == "t") return Role::text;
                return is_one(kDropped, name) ? Role::dropped : Role::point;
            case Role::outside: return Role::outside;
            case Role::properties: return Role::properties;
            case Role::head: return Role::head;
            case Role::dropped: return Role::dropped;
            default: return Role::kept;
        }
    }

    void start(const Token& token) {
        const std::string name(local_name(token.name));
        for (const markup::Attribute& attribute : token.attributes)
            if (is_alternative_text(token, attribute)) part_->add_lines(attribute.value, attribute.quote);
        const Role parent = stack_.empty() ? Role::outside : stack_.back().role;
        Element element{role_of(name, parent), token.bytes, name};
        switch (element.role) {
            case Role::paragraph: open_.push_back({.depth = stack_.size()}); break;
            case Role::run: begin_run(token); break;
            case Role::text: begin_text(token, parent); break;
            case Role::properties: add_property(token, parent); break;
            case Role::container: begin_container(token, element); break;
            case Role::point: begin_point(token, name); break;
            default: break;
        }
        stack_.push_back(std::move(element));
    }

    void end(const Token& token) {
        const Element element = std::move(stack_.back());
        stack_.pop_back();
        const std::size_t end = std::max(token.bytes.end, element.tag.end);
        switch (element.role) {
            case Role::paragraph:
                part_->add(std::move(open_.back().paragraph), kept_);
                open_.pop_back();
                break;
            case Role::run:
                run().end = token.bytes;
                if (token.bytes.size() == 0) run().begin = {};  // <w:r/>
                open_.back().run = kNoRun;
                break;
            case Role::properties: end_property(end); break;
            case Role::head: extend_container(end); break;
            case Role::container: end_container(token, element); break;
            case Role::point: end_point({element.tag.begin, end}); break;
            case Role::text:
                if (stack_.back().role != Role::run) end_bare_text({element.tag.begin, end});
                break;
            default: break;
        }
    }

    void text(const Token& token) {
        if (stack_.empty()) return;
        if (stack_.back().role == Role::text) {
            if (elements_.tabs && token.content == token.bytes) return add_fields(token);
            items().push_back(
                {.kind = Kind::text, .bytes = token.bytes, .run = open_.back().run, .text = decoded(token)});
        } else if (stack_.back().role == Role::point && stack_.back().name == "instrText") {
            open_.back().instruction += text::part(source_, token.content);
        }
    }

    // Adds what stands between tabs, and these.
    void add_fields(Token token) {
        const std::size_t end = token.bytes.end;
        for (std::size_t at = token.bytes.begin; at < end;) {
            const std::size_t tab = std::min(source_.find('\t', at), end);
            token.bytes = token.content = {at, tab};
            if (tab > at)
                items().push_back(
                    {.kind = Kind::text, .bytes = token.bytes, .run = open_.back().run, .text = decoded(token)});
            if (tab < end)
                items().push_back(
                    {.bytes = {tab, tab + 1}, .run = open_.back().run, .text = "\t", .gap = true, .tab = true});
            at = tab + 1;
        }
    }

    std::string decoded(const Token& token) const {
        const std::string_view content = text::part(source_, token.content);
        std::string text;
        for (std::size_t at = 0; at < content.size();) {
            if (content[at] == '&' && token.references) {
                if (const markup::Reference found = markup::xml_reference(content.substr(at)); found.bytes > 0) {
                    text += found.text;
                    at += found.bytes;
                    continue;
                }
            }
            text += content[at++];
        }
        return text;
    }

    std::vector<RunItem>& items() { return open_.back().paragraph.items; }
    Run& run() { return open_.back().paragraph.runs[open_.back().run]; }

    void begin_run(const Token& token) {
        prefix_ = token.name.substr(0, token.name.find(':') + 1);
        open_.back().run = open_.back().paragraph.runs.size();
        open_.back().paragraph.runs.push_back({.begin = token.bytes});
    }
    // A text directly inside a paragraph is a run without tags of its own.
    void begin_text(const Token& token, Role parent) {
        if (parent != Role::run) begin_run({});
        run().text_tag = token.name;
        if (parent != Role::run) run().begin = {token.bytes.begin, token.bytes.begin};
    }

    void end_bare_text(Range bytes) {
        for (RunItem& item : items())
            if (item.run == open_.back().run) item.bytes = bytes;
        open_.back().run = kNoRun;
    }

    void add_property(const Token& token, Role parent) {
        const std::string_view name = local_name(token.name);
        if (unseen_ > 0 || is_one(kUnseen, name)) {
            ++unseen_;
            return;
        }
        std::string& meaning = run().meaning;
        if (parent == Role::run) run().properties = token.bytes;
        else meaning.append("<").append(name);
        for (const markup::Attribute& attribute : token.attributes) {
            if (parent == Role::run && is_one(kUnseenAttributes, local_name(attribute.name))) continue;
            meaning.append(" ").append(attribute.name).append("=").append(text::part(source_, attribute.value));
        }
    }
    void end_property(std::size_t end) {
        if (unseen_ > 0) {
            --unseen_;
            return;
        }
        if (stack_.back().role == Role::run) run().properties.end = end;
        else run().meaning += '>';
    }

    void begin_container(const Token& token, Element& element) {
        if (element.name == "sdtContent") {
            if (stack_.back().name == "sdt") extend_container(token.bytes.end);
            element.item = stack_.back().item;
            return;
        }
        element.item = items().size();
        items().push_back({.kind = Kind::open, .bytes = token.bytes});
    }
    void extend_container(std::size_t end) {
        for (auto element = stack_.rbegin(); element != stack_.rend(); ++element) {
            if (element->role != Role::container) continue;
            RunItem& item = items()[element->item];
            if (item.kind == Kind::open && element->item + 1 == items().size()) item.bytes.end = end;
            return;
        }
    }
    void end_container(const Token& token, const Element& element) {
        if (element.name == "sdtContent") {
            content_end_ = token.bytes;
            return;
        }
        Range bytes = token.bytes;
        if (element.name == "sdt" && content_end_.size() > 0) bytes.begin = std::exchange(content_end_, {}).begin;
        items()[element.item].other = items().size();
        items().push_back({.kind = Kind::close, .bytes = bytes, .other = element.item});
    }

    void begin_point(const Token& token, std::string_view name) {
        open_.back().field.clear();
        open_.back().instruction.clear();
        open_.back().seen = is_one(kSeen, name);
        open_.back().gap = is_one(kGaps, name);
        open_.back().tab = name == "tab";
        // A choice that stands beside runs, not in one, is a formula of PowerPoint.
        const bool in_run = !stack_.empty() && stack_.back().role == Role::run;
        open_.back().word = is_one(kWords, name) || (name == "AlternateContent" && !in_run);
        open_.back().hyphen = name == "noBreakHyphen";
        if (name != "fldChar") return;
        for (const markup::Attribute& attribute : token.attributes)
            if (local_name(attribute.name) == "fldCharType") open_.back().field = text::part(source_, attribute.value);
    }
    void end_point(Range bytes) {
        Open& open = open_.back();
        if (open.hyphen && open.run != kNoRun) {  // a letter of its word
            if (run().text_tag.empty()) run().text_tag = prefix_ + "t";
            items().push_back({.kind = Kind::text, .bytes = bytes, .run = open.run, .text = "\u2011"});
            return;
        }
        items().push_back({.bytes = bytes,
                           .run = open.run,
                           .field = open.field,
                           .instruction = open.instruction,
                           .seen = open.seen,
                           .gap = open.gap,
                           .tab = open.tab,
                           .word = open.word});
        open.field.clear();
        open.instruction.clear();
    }

    const std::string source_;
    const RunElements& elements_;
    const std::set<std::string>& kept_;
    std::unique_ptr<RunPart> part_;
    std::vector<Element> stack_;
    std::vector<Open> open_;
    Range content_end_{};  // end of an sdtContent, whose sdt ends next
    std::string prefix_;  // of the run's name: "w:"
    std::size_t unseen_ = 0;  // nested properties that readers do not see
};

}  // namespace

PartPtr read_paragraphs(std::string source, std::string_view name, const RunElements& elements,
                        const std::set<std::string>& kept) {
    ParagraphReader reader(source, elements, kept);
    read_xml(source, name, true, [&](const Token& token) { reader.take(token); });
    return reader.finish();
}

}  // namespace dragoman::documents
