// SPDX-License-Identifier: Apache-2.0
#include "units.h"

#include <dragoman/dragoman.h>

#include <cerrno>
#include <cstring>

#include "checkpoint.h"

bool blank(const std::string& text) { return text.find_first_not_of(" \t\f\v") == std::string::npos; }

Units::Units(const std::filesystem::path& path, bool paragraphs, uint64_t offset, uint64_t lines)
    : name_(path.string()), file_(path, std::ios::binary), paragraphs_(paragraphs), offset_(offset), lines_(lines) {
    if (!file_) throw FileError(name_ + ": " + std::strerror(errno));
    file_.seekg(static_cast<std::streamoff>(offset));
}

bool Units::next_line(Unit& line) {
    if (!std::getline(file_, line.text)) {
        if (file_.bad()) throw FileError(name_ + ": cannot be read");
        return false;
    }
    line.ending = file_.eof() ? "" : "\n";
    const bool first = offset_ == 0;
    offset_ += line.text.size() + line.ending.size();
    ++lines_;
    if (!line.ending.empty() && line.text.ends_with('\r')) {
        line.text.pop_back();
        line.ending = "\r\n";
    }
    const std::size_t valid = dragoman_utf8_prefix(line.text.data(), line.text.size());
    if (valid != line.text.size())
        throw FileError(name_ + ":" + std::to_string(lines_) + ": invalid UTF-8 at byte " + std::to_string(valid));
    if (first && line.text.starts_with("\xEF\xBB\xBF")) line.text.erase(0, 3);
    return true;
}

bool Units::next(Unit& unit) {
    if (!next_line(unit)) return false;
    if (!paragraphs_ || blank(unit.text)) return true;
    // A paragraph goes on while the line after it is not blank.
    for (Unit line; !unit.ending.empty();) {
        const uint64_t offset = offset_, lines = lines_;
        if (!next_line(line)) break;
        if (blank(line.text)) {
            offset_ = offset;
            lines_ = lines;
            file_.clear();
            file_.seekg(static_cast<std::streamoff>(offset));
            break;
        }
        unit.text += ' ';
        unit.text += line.text;
        unit.ending = line.ending;
    }
    return true;
}
