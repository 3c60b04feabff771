// SPDX-License-Identifier: Apache-2.0
#include "documents/document.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/utf8.h"
#include "documents/format_table.h"
#include "documents/readers.h"

namespace dragoman::documents {
namespace {

PartPtr read_file(std::string source, Format format, const Languages& languages) {
    if (const auto bad = first_invalid_utf8(source))
        fail(Status::invalid_argument, "document: invalid UTF-8 at byte {}", *bad);
    const FormatRow* row = row_of(format);
    if (!row) fail(Status::unsupported, "document: expected a format that can be translated, got {}", name_of(format));
    return row->read_file(std::move(source), languages);
}

}  // namespace

Document::Document(std::string bytes, Format format, const Languages& languages, bool names)
    : format_(format), names_(names), encoding_(is_package(format) ? Encoding::utf8 : encoding_of(bytes)),
      bytes_(to_utf8(std::move(bytes), encoding_)) {
    if (!is_package(format)) {
        add("", read_file(bytes_, format, languages));
        return;
    }
    package_ = std::make_unique<Package>(bytes_);
    read_members(languages);
}

void Document::read_members(const Languages& languages) {
    const AddPart take = [this](std::string name, PartPtr part) { add(std::move(name), std::move(part)); };
    row_of(format_)->read_package(*package_, languages, take);
}

void Document::add(std::string name, PartPtr part) {
    if (!names_) part->leave_out_names();
    const Units& units = part->units();
    for (const Unit& unit : units.units) texts_.push_back(text::part(units.text, unit.plain));
    members_.push_back({std::move(name), std::move(part)});
}

bool Document::has_marks() const {
    return std::ranges::any_of(members_, [](const Member& member) {
        return std::ranges::any_of(member.part->units().units, [](const Unit& unit) { return !unit.marks.empty(); });
    });
}

std::string Document::write(std::span<const Translation> translations) const {
    if (translations.size() != texts_.size())
        fail(Status::internal, "document: expected {} translations, got {}", texts_.size(), translations.size());
    std::map<std::string, std::string> changed;
    std::size_t first = 0;
    for (const Member& member : members_) {
        const std::size_t count = member.part->units().units.size();
        std::string written = member.part->write(translations.subspan(first, count));
        first += count;
        if (!package_) return from_utf8(std::move(written), encoding_);
        if (written != package_->read(member.name)) changed.emplace(member.name, std::move(written));
    }
    return package_->with(changed);
}

}  // namespace dragoman::documents
