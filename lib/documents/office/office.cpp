// SPDX-License-Identifier: Apache-2.0
// Which parts of a Word, PowerPoint or Excel file have text.
#include <algorithm>
#include <map>

#include "documents/office/paragraphs.h"
#include "markup/entities.h"

namespace dragoman::documents {
namespace {

using markup::Token;

const RunElements kWord{{"p"}, true}, kDrawing{{"p"}, false, false, true}, kCells{{"si", "is", "text"}, true, true};

struct OfficeKind {
    std::string_view type;  // the end of a content type, without "+xml"
    const RunElements& elements;
};
const std::map<Format, std::vector<OfficeKind>> kKinds{
    {Format::docx,
     {{"wordprocessingml.document.main", kWord},
      {"wordprocessingml.template.main", kWord},
      {"ms-word.document.macroEnabled.main", kWord},
      {"wordprocessingml.header", kWord},
      {"wordprocessingml.footer", kWord},
      {"wordprocessingml.footnotes", kWord},
      {"wordprocessingml.endnotes", kWord},
      {"wordprocessingml.comments", kWord},
      {"drawingml.chart", kDrawing},
      {"drawingml.diagramData", kDrawing},
      {"drawingml.diagramDrawing", kDrawing},
      {"ms-office.chartex", kDrawing}}},
    {Format::pptx,
     {{"presentationml.slide", kDrawing},
      {"presentationml.notesSlide", kDrawing},
      {"drawingml.chart", kDrawing},
      {"drawingml.diagramData", kDrawing},
      {"drawingml.diagramDrawing", kDrawing},
      {"ms-office.chartex", kDrawing}}},
    {Format::xlsx,
     {{"spreadsheetml.sharedStrings", kCells},
      {"spreadsheetml.worksheet", kCells},
      {"spreadsheetml.comments", kCells},
      {"officedocument.drawing", kDrawing},
      {"drawingml.chart", kDrawing},
      {"drawingml.diagramData", kDrawing},
      {"drawingml.diagramDrawing", kDrawing},
      {"ms-office.chartex", kDrawing}}},
};

// Members grouped by their content types, in the archive's order.
std::vector<std::pair<std::string, std::string>> typed_members(const Package& package) {
    const std::string types = package.read("[Content_Types].xml");
    std::map<std::string, std::string> by_name, by_end;
    read_xml(types, "[Content_Types].xml", true, [&](const Token& token) {
        if (token.kind != Token::Kind::start) return;
        const std::string type = attribute_of(types, token, "ContentType"),
                          name = attribute_of(types, token, "PartName");
        if (local_name(token.name) == "Override" && name.size() > 1) by_name[name.substr(1)] = type;
        if (local_name(token.name) == "Default") by_end[attribute_of(types, token, "Extension")] = type;
    });
    std::vector<std::pair<std::string, std::string>> members;
    for (const std::string& name : package.names()) {
        const auto own = by_name.find(name);
        members.emplace_back(name, own != by_name.end() ? own->second : by_end[name.substr(name.rfind('.') + 1)]);
    }
    return members;
}

// Adds the names of a table's columns, which must equal the texts of its cells.
void add_columns(const Package& package, const std::string& name, std::set<std::string>& columns) {
    const std::string source = package.read(name);
    read_xml(source, name, true, [&](const Token& token) {
        if (token.kind != Token::Kind::start || local_name(token.name) != "tableColumn") return;
        const std::string written = attribute_of(source, token, "name");
        std::string column;
        for (std::size_t at = 0; at < written.size();) {
            const std::string_view rest = std::string_view(written).substr(at);
            const auto found = rest[0] == '&' ? markup::xml_reference(rest) : markup::Reference{};
            column += found.bytes > 0 ? found.text : std::string(1, written[at]);
            at += std::max<std::size_t>(found.bytes, 1);
        }
        columns.insert(column);
    });
}

}  // namespace

void read_office(const Package& package, Format format, const AddPart& add) {
    const auto members = typed_members(package);
    std::set<std::string> kept;
    for (const auto& [name, type] : members)
        if (type.ends_with("spreadsheetml.table+xml")) add_columns(package, name, kept);
    for (const auto& [name, type] : members) {
        for (const OfficeKind& kind : kKinds.at(format)) {
            if (!type.ends_with(std::string(kind.type) + "+xml")) continue;
            PartPtr part = read_paragraphs(package.read(name), name, kind.elements, kept);
            if (!part->units().units.empty()) add(name, std::move(part));
        }
    }
}

}  // namespace dragoman::documents
