// SPDX-License-Identifier: Apache-2.0
#include "download/partial_file.h"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "base/error.h"
#include "base/os/path_text.h"
#include "download/space.h"
#include "files/new_file.h"

namespace dragoman::download {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBlockBytes = 1 << 17;
constexpr auto kOld = std::chrono::seconds(1);
constexpr std::string_view kStateHead = "dragoman partial 1";

constexpr std::pair<std::string_view, std::string PartialState::*> kStateTexts[] = {{"url ", &PartialState::url},
                                                                                    {"etag ", &PartialState::etag},
                                                                                    {"modified ",
                                                                                     &PartialState::modified},
                                                                                    {"sha256 ", &PartialState::sha256}};

}  // namespace

PartialState PartialState::read(const fs::path& file) {
    PartialState state;
    std::ifstream in(file, std::ios::binary);
    std::string line;
    if (!std::getline(in, line) || line != kStateHead) return {};
    constexpr std::string_view kBytes = "bytes ";
    while (std::getline(in, line)) {
        for (const auto& [key, member] : kStateTexts)
            if (line.starts_with(key)) state.*member = line.substr(key.size());
        if (line.starts_with(kBytes))
            std::from_chars(line.data() + kBytes.size(), line.data() + line.size(), state.bytes);
    }
    return state;
}

void PartialState::write(const fs::path& file) const {
    std::string text = fmt::format("{}\nbytes {}\n", kStateHead, bytes);
    for (const auto& [key, member] : kStateTexts) text += fmt::format("{}{}\n", key, this->*member);
    NewFile out(file, true);
    out.write(std::as_bytes(std::span(text)));
    out.finish();
}

PartialFile::PartialFile(const FileRequest& request, std::function<void()> moved)
    : request_(request), url_(request.url), moved_(std::move(moved)), state_(PartialState::read(state_file())) {
    std::error_code none;
    const uint64_t there = fs::file_size(request.partial, none);
    if (none) return;
    const bool of_this = state_.url == request.url && state_.sha256 == request.sha256 &&
                         (state_.bytes == 0 || request.bytes == 0 || state_.bytes == request.bytes);
    if (of_this && (total() == 0 || there <= total())) have_ = there;
    else drop();
}

PartialFile::~PartialFile() {
    try {
        flush();
    } catch (...) {  // what is written is still good
    }
}

fs::path PartialFile::state_file() const {
    fs::path file = request_.partial;
    return file += ".state";
}

uint64_t PartialFile::total() const { return request_.bytes > 0 ? request_.bytes : state_.bytes; }

std::vector<std::string> PartialFile::range() {
    flush();
    if (have_ == 0) return {};
    const std::string range = fmt::format("Range: bytes={}-", have_);
    // A weak tag does not say that the bytes are the same.
    if (!state_.etag.empty() && !state_.etag.starts_with("W/")) return {range, "If-Range: " + state_.etag};
    if (!state_.modified.empty()) return {range, "If-Range: " + state_.modified};
    if (!request_.sha256.empty() || !request_.git_sha1.empty()) return {range};  // the hash tells whether they fit
    return {};
}

void PartialFile::drop() {
    file_.close();
    open_ = false;
    block_.clear();
    have_ = 0;
    state_ = {};
    hash_.reset();
    std::error_code none;
    fs::remove(request_.partial, none);
    fs::remove(state_file(), none);
}

void PartialFile::wrong(const std::string& what) {
    drop();
    fail(Status::io_error, "{}: {}", url_.shown(), what);
}

void PartialFile::check_length(const Answer& answer, uint64_t before) const {
    const auto length = answer.length();
    if (!length) return;
    if (request_.bytes > 0 && before + *length != request_.bytes)
        fail(Status::io_error, "{}: expected {} bytes, the server has {}", url_.shown(), request_.bytes,
             before + *length);
    need_space(request_.partial.parent_path(), *length);
}

// Packed on the way although nobody asked for it. Servers also call a .gz file so, whose bytes are then right; where a hash
// is known it tells.
void PartialFile::check_encoding(const Answer& answer) const {
    const std::string encoding = answer.header("content-encoding");
    if (encoding.empty() || encoding == "identity" || !request_.sha256.empty() || !request_.git_sha1.empty()) return;
    const std::string& shown = url_.shown();
    if (encoding.ends_with("gzip") && (shown.ends_with(".gz") || shown.ends_with(".tgz"))) return;
    fail(Status::io_error, "{}: expected the file as it is, the server sends it packed by {}", shown, encoding);
}

void PartialFile::keep_state(const Answer& answer, uint64_t bytes) {
    PartialState state{.url = request_.url,
                       .etag = answer.header("etag"),
                       .modified = answer.header("last-modified"),
                       .sha256 = request_.sha256,
                       .bytes = bytes};
    if (open_ && state.etag == state_.etag && state.modified == state_.modified && state.bytes == state_.bytes) return;
    state_ = std::move(state);
    state_.write(state_file());
}

void PartialFile::start_hash() {
    std::optional<uint64_t> git_bytes;
    if (!request_.git_sha1.empty()) git_bytes = total();
    hash_ = std::make_unique<BackgroundHash>(request_.partial, have_, git_bytes, moved_);
}

void PartialFile::begin_anew(const Answer& answer) {
    drop();
    check_length(answer, 0);
    check_encoding(answer);
    keep_state(answer, answer.length().value_or(request_.bytes));
    if (!request_.git_sha1.empty() && total() == 0)
        fail(Status::io_error, "{}: the server does not say how long the file is, which its hash begins with",
             url_.shown());
    go_on(answer);
}

void PartialFile::go_on(const Answer& answer) {
    if (have_ > 0) {
        check_length(answer, have_);
        check_encoding(answer);
    }
    if (!open_) {
        if (const std::error_code error = file_.open(request_.partial, have_))
            fail(Status::io_error, "cannot write {}: {}", text_of(request_.partial), error.message());
        open_ = true;
        flushed_ = std::chrono::steady_clock::now();
    }
    if (!hash_) start_hash();
}

void PartialFile::add(std::span<const std::byte> bytes) {
    if (total() > 0 && have() + bytes.size() > total())
        wrong(fmt::format("expected {} bytes, the server sends more", total()));
    if (block_.capacity() == 0) block_.reserve(kBlockBytes);
    while (!bytes.empty()) {
        const std::size_t some = std::min(bytes.size(), kBlockBytes - block_.size());
        block_.insert(block_.end(), bytes.begin(), bytes.begin() + std::ptrdiff_t(some));
        bytes = bytes.subspan(some);
        if (block_.size() == kBlockBytes) flush();
    }
}

void PartialFile::flush_if_old() {
    if (!block_.empty() && std::chrono::steady_clock::now() - flushed_ > kOld && has_room()) flush();
}

void PartialFile::flush() {
    if (block_.empty()) return;
    flushed_ = std::chrono::steady_clock::now();
    std::size_t written = 0;
    const std::error_code error = file_.write(block_, written);
    have_ += written;
    if (error) {
        const uint64_t missing = total() > have_ ? total() - have_ : block_.size() - written;
        block_.clear();
        // Beyond what is hashed lies what was written of this block.
        hash_.reset();
        std::error_code none;
        fs::resize_file(request_.partial, have_, none);
        fail(Status::io_error, "cannot write {}: {}; {} bytes are there and stay, {} more are needed",
             text_of(request_.partial), error.message(), have_, missing);
    }
    block_ = hash_->add(std::move(block_));
    if (block_.capacity() == 0) block_.reserve(kBlockBytes);
}

void PartialFile::end() {
    flush();
    file_.close();
    open_ = false;
    if (!hash_) start_hash();
    hash_->end();
}

FileResult PartialFile::result() {
    const BackgroundHash::Sums sums = hash_->sums();
    if (request_.bytes > 0 && have_ != request_.bytes)
        wrong(fmt::format("expected {} bytes, {} came", request_.bytes, have_));
    if (!request_.sha256.empty() && sums.sha256 != request_.sha256)
        wrong(fmt::format("expected SHA-256 {}{}{}, it has {}; what came is removed", request_.sha256,
                          request_.hash_note.empty() ? "" : ", ", request_.hash_note, sums.sha256));
    if (!request_.git_sha1.empty() && sums.git_sha1 != request_.git_sha1)
        wrong(fmt::format("expected git's hash {}, it has {}; what came is removed", request_.git_sha1, sums.git_sha1));
    if (state_.bytes == 0) {  // a next call must know that this is all
        state_.bytes = have_;
        if (have_ > 0) state_.write(state_file());
    }
    return {have_, sums.sha256};
}

}  // namespace dragoman::download
