// SPDX-License-Identifier: Apache-2.0
#include "tm/answer_journal.h"

#include <cstring>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/os/path_text.h"
#include "tm/kept_key.h"

namespace dragoman::tm {
namespace {

void append(std::string& to, uint32_t number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    to.append(bytes, sizeof bytes);
}

std::string placed(uint32_t context, std::string_view question) {
    std::string place;
    append(place, context);
    return place.append(question);
}

}  // namespace

AnswerJournal::AnswerJournal(const std::filesystem::path& path, const std::string& key, uint64_t most_bytes)
    : name_(text_of(path)), key_(key), most_bytes_(most_bytes),
      log_(path, [this](std::string_view record) { read(record); }) {
    if (old_key_.empty()) log_.add(char(Kind::key) + key_);
}

// A record is whole when it comes here. The first one is the key.
void AnswerJournal::read(std::string_view record) {
    const auto broken = [&] {
        fail(Status::io_error, "{}: expected a file of kept translations, got another one", name_);
    };
    if (record.empty() || (old_key_.empty() && record[0] != char(Kind::key))) broken();
    const auto kind = Kind(record[0]);
    record.remove_prefix(1);
    if (kind == Kind::key) {
        old_key_ = record;
        check_key();
    } else if (kind == Kind::context) {
        contexts_.emplace(record, uint32_t(contexts_.size()));
    } else if (kind == Kind::answer) {
        uint32_t size = 0;
        if (record.size() < sizeof size) broken();
        std::memcpy(&size, record.data(), sizeof size);
        record.remove_prefix(sizeof size);
        if (size < sizeof size || size > record.size()) broken();
        answers_.emplace(record.substr(0, size), std::make_shared<const std::string>(record.substr(size)));
    } else {
        broken();
    }
}

void AnswerJournal::check_key() {
    if (old_key_ == key_) return;
    fail(
        Status::invalid_argument,
        "{}: the translations in it were made with other settings: {}; go on with the same ones, or remove the file to "
        "begin anew",
        name_, differences(old_key_, key_));
}

void AnswerJournal::begin_anew() {
    contexts_.clear();
    answers_.clear();
    log_.clear();
    log_.add(char(Kind::key) + key_);
}

void AnswerJournal::clear() {
    const std::lock_guard lock(mutex_);
    begin_anew();
}

Answer AnswerJournal::find(const std::string& context, const std::string& question) const {
    const std::lock_guard lock(mutex_);
    const auto number = contexts_.find(context);
    if (number == contexts_.end()) return nullptr;
    const auto answer = answers_.find(placed(number->second, question));
    return answer == answers_.end() ? nullptr : answer->second;
}

void AnswerJournal::put(const std::string& context, const std::string& question, Answer answer) {
    const std::lock_guard lock(mutex_);
    if (most_bytes_ > 0 && log_.bytes() > most_bytes_) begin_anew();
    const auto [number, is_new] = contexts_.emplace(context, uint32_t(contexts_.size()));
    if (is_new) log_.add(char(Kind::context) + context);
    std::string place = placed(number->second, question);
    std::string record(1, char(Kind::answer));
    append(record, uint32_t(place.size()));
    record.append(place).append(*answer);
    if (answers_.emplace(std::move(place), std::move(answer)).second) log_.add(record);
}

}  // namespace dragoman::tm
