// SPDX-License-Identifier: Apache-2.0
#include "documents/format_table.h"

#include <algorithm>
#include <utility>

namespace dragoman::documents {
namespace {

template <PartPtr (*read)(std::string)>
PartPtr file(std::string source, const Languages&) {
    return read(std::move(source));
}

PartPtr xhtml(std::string source, const Languages& languages) {
    return read_xhtml(std::move(source), languages, "document");
}

template <bool arb>
PartPtr json(std::string source, const Languages& languages) {
    return read_json(std::move(source), arb, languages);
}

template <Format format>
void office(const Package& package, const Languages&, const AddPart& add) {
    read_office(package, format, add);
}

void opendocument(const Package& package, const Languages&, const AddPart& add) { read_opendocument(package, add); }

constexpr FormatRow kFormats[] = {
    {Format::text, "text", "txt", "", file<read_text>},
    {Format::html, "html", "html htm", "", read_html},
    {Format::xhtml, "xhtml", "xhtml xht", "html", xhtml},
    {Format::srt, "srt", "srt", "", file<read_subtitles>},
    {Format::vtt, "vtt", "vtt", "", file<read_subtitles>},
    {Format::ass, "ass", "ass ssa", "", file<read_substation>},
    {Format::markdown, "markdown", "markdown md mdown", "", read_markdown},
    {Format::docx, "docx", "docx docm dotx", "", nullptr, office<Format::docx>},
    {Format::pptx, "pptx", "pptx pptm ppsx potx", "", nullptr, office<Format::pptx>},
    {Format::xlsx, "xlsx", "xlsx xlsm", "", nullptr, office<Format::xlsx>},
    {Format::odt, "odt", "odt ott", "", nullptr, opendocument},
    {Format::ods, "ods", "ods", "", nullptr, opendocument},
    {Format::odp, "odp", "odp", "", nullptr, opendocument},
    {Format::epub, "epub", "epub", "", nullptr, read_epub},
    {Format::po, "po", "po pot", "", read_po},
    {Format::xliff, "xliff", "xliff xlf", "xliff", read_xliff},
    {Format::tmx, "tmx", "tmx", "tmx", read_tmx},
    {Format::json, "json", "json", "", json<false>},
    {Format::arb, "arb", "arb", "", json<true>},
    {Format::android, "android", "", "resources", file<read_android>},
    {Format::strings, "strings", "strings", "", file<read_strings>},
};

}  // namespace

std::span<const FormatRow> format_table() { return kFormats; }

const FormatRow* row_of(Format format) {
    const auto row = std::ranges::find(kFormats, format, &FormatRow::format);
    return row == std::end(kFormats) ? nullptr : &*row;
}

}  // namespace dragoman::documents
