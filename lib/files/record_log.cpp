// SPDX-License-Identifier: Apache-2.0
#include "files/record_log.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/os/path_text.h"
#include "files/file_map.h"

namespace dragoman {
namespace {

constexpr std::string_view kBegin = "dragoman kept 1\n";

// In front of a record; its numbers are the machine's, where the file stays.
struct Head {
    uint64_t bytes = 0, check = 0;
};

Head head_of(std::string_view record) {
    Fingerprint print;
    print.add(record);
    return {record.size(), print.low() ^ print.high()};
}

// How many of the bytes are whole records.
std::size_t read(std::string_view bytes, const std::function<void(std::string_view)>& each) {
    std::size_t at = kBegin.size();
    for (Head head; bytes.size() - at >= sizeof head;) {
        std::memcpy(&head, bytes.data() + at, sizeof head);
        const std::string_view rest = bytes.substr(at + sizeof head);
        if (head.bytes > rest.size()) break;
        const std::string_view record = rest.substr(0, head.bytes);
        if (head_of(record).check != head.check) break;
        each(record);
        at += sizeof head + record.size();
    }
    return at;
}

}  // namespace

RecordLog::RecordLog(const std::filesystem::path& path, const std::function<void(std::string_view)>& each)
    : path_(path) {
    std::size_t whole = 0, size = 0;
    std::error_code error;
    if (std::filesystem::exists(path, error)) {
        const FileBytes old = read_whole(path);
        const std::string_view bytes = old.text();
        size = bytes.size();
        if (bytes.starts_with(kBegin)) whole = read(bytes, each);
        else if (!kBegin.starts_with(bytes))  // the very first write was not cut short either
            fail(Status::io_error, "{}: expected a file of kept translations, got another file", text_of(path));
    }
    if (whole < size) std::filesystem::resize_file(path, whole, error);
    if (error) fail(Status::io_error, "{}: {}", text_of(path), error.message());
    bytes_ = whole;
    begin(std::ios::app);
}

void RecordLog::begin(std::ios::openmode mode) {
    errno = 0;
    file_.open(path_, std::ios::binary | mode);
    if (bytes_ == 0) file_ << kBegin << std::flush;
    bytes_ = std::max<uint64_t>(bytes_, kBegin.size());
    check();
}

void RecordLog::check() const {
    if (file_) return;
    const int reason = errno;
    fail(Status::io_error, "{}: {}", text_of(path_),
         reason ? std::generic_category().message(reason) : "cannot be written");
}

void RecordLog::clear() {
    file_.close();
    bytes_ = 0;
    begin(std::ios::trunc);
}

void RecordLog::add(std::string_view record) {
    const Head head = head_of(record);
    std::string bytes(sizeof head, '\0');
    std::memcpy(bytes.data(), &head, sizeof head);
    bytes += record;
    errno = 0;
    file_.write(bytes.data(), std::streamsize(bytes.size()));
    file_.flush();
    check();
    bytes_ += bytes.size();
}

}  // namespace dragoman
