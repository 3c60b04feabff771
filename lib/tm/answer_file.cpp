// SPDX-License-Identifier: Apache-2.0
#include "tm/answer_file.h"

#include <thread>
#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace dragoman::tm {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 10s;                 // with others that write, from the first refusal on
constexpr auto kPause = 10ms;                   // between two attempts
constexpr auto kRest = 1s;                      // after an error, before the file is tried again
constexpr std::size_t kPortion = 512;           // answers that are written at once,
constexpr std::size_t kPortionBytes = 1u << 20; // or so many bytes of them
constexpr std::size_t kMaxWaiting = 64u << 20;  // bytes that may wait while the file takes nothing

}  // namespace

bool AnswerFile::Batch::add(const std::string& context, std::string_view question, Answer answer) {
    const std::size_t size = question.size() + answer->size();
    if (!answers[context].emplace(question, std::move(answer)).second) return false;
    ++count;
    bytes += size;
    return true;
}

Answer AnswerFile::Batch::find(const std::string& context, std::string_view question) const {
    const auto of_context = answers.find(context);
    if (of_context == answers.end()) return nullptr;
    const auto at = of_context->second.find(std::string(question));
    return at == of_context->second.end() ? nullptr : at->second;
}

AnswerFile::AnswerFile(const std::string& path, uint64_t most_bytes)
    : most_bytes_(most_bytes), table_(path, most_bytes) {
    background_.start();
}

AnswerFile::~AnswerFile() {
    background_.stop();
    write(nullptr);
    if (waiting_.count > 0) log(LogLevel::warning, "{}: {} answers were not written", table_.path(), waiting_.count);
}

// An error that the file may get over is one line in the log, however often it comes.
void AnswerFile::note(const std::exception& error) {
    bool told = false;
    {
        const std::lock_guard lock(mutex_);
        ++failures_;
        slow_ = true;
        told = std::exchange(told_, true);
    }
    changed_.notify_all();
    if (!told) log(LogLevel::warning, "{}; translations go on, with what is in memory", error.what());
}

Answer AnswerFile::find(const std::string& context, std::string_view question) {
    {
        const std::lock_guard lock(mutex_);
        for (const Batch* batch : {&waiting_, &writing_})
            if (Answer answer = batch->find(context, question)) return answer;
        if (Clock::now() < read_again_) return nullptr;
    }
    try {
        const AnswerTable::Row row = table_.find(context, question);
        if (!row.answer) return nullptr;
        const std::lock_guard lock(mutex_);
        waiting_.used.insert(row.id);
        return row.answer;
    } catch (const Error& error) {
        note(error);
        const std::lock_guard lock(mutex_);
        read_again_ = Clock::now() + kRest;
        return nullptr;
    }
}

void AnswerFile::put(const std::string& context, std::string_view question, Answer answer) {
    const std::size_t bytes = question.size() + answer->size();
    if (bytes + kRowBytes > most_bytes_) return;
    std::unique_lock lock(mutex_);
    if (waiting_.bytes + writing_.bytes + bytes > kMaxWaiting) {
        ++lost_;
        const bool told = std::exchange(told_lost_, true);
        lock.unlock();
        if (!told)
            log(LogLevel::warning, "{}: more than {} bytes wait to be written; further answers are in memory only",
                table_.path(), kMaxWaiting);
        return;
    }
    if (writing_.find(context, question) || !waiting_.add(context, question, std::move(answer))) return;
    ++added_;
    if (waiting_.count % kPortion == 0 || waiting_.bytes >= kPortionBytes) write_later();
}

void AnswerFile::write_later() {
    if (scheduled_ || Clock::now() < write_again_) return;
    scheduled_ = true;
    background_.add(this, [this](const Background::Stop& stop) { write(&stop); });
}

bool AnswerFile::flush(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    if (!waiting_.empty()) write_later();
    const uint64_t wanted = added_;
    const auto there = [&] { return written_ >= wanted; };
    if (slow_ || !background_.started()) return there();
    if (!changed_.wait_for(lock, most, [&] { return there() || slow_; })) slow_ = true;
    return there();
}

// What was not written waits again.
void AnswerFile::take_back() {
    for (auto& [context, answers] : writing_.answers)
        for (auto& [question, answer] : answers) waiting_.add(context, question, std::move(answer));
    waiting_.used.merge(writing_.used);
    writing_ = {};
}

void AnswerFile::write(const Background::Stop* stop) {
    const std::lock_guard one(writer_);
    uint64_t last = 0;
    {
        const std::lock_guard lock(mutex_);
        scheduled_ = false;
        if (waiting_.empty()) return;
        std::swap(waiting_, writing_);
        last = added_;
    }
    const bool written = write_batch(stop);
    {
        const std::lock_guard lock(mutex_);
        if (written) {
            written_ = last;
            writing_ = {};
            busy_since_ = write_again_ = {};
            told_ = told_lost_ = slow_ = false;
        } else {
            take_back();
            write_again_ = Clock::now() + kRest;
        }
    }
    changed_.notify_all();
}

bool AnswerFile::write_batch(const Background::Stop* stop) {
    for (;;) {
        try {
            table_.write(writing_.answers, writing_.used);
            return true;
        } catch (const std::exception& error) {
            if (is_busy(error)) {
                const auto now = Clock::now();
                std::unique_lock lock(mutex_);
                if (busy_since_ == Clock::time_point()) busy_since_ = now;
                const bool wait = now - busy_since_ < kPatience;
                lock.unlock();
                if (wait && stop && *stop) return false;
                if (wait) {
                    std::this_thread::sleep_for(kPause);
                    continue;
                }
            }
            note(error);
            return false;
        }
    }
}

void AnswerFile::clear() {
    const std::lock_guard one(writer_);
    {
        const std::lock_guard lock(mutex_);
        written_ = added_;
        waiting_ = {};
    }
    table_.clear();
}

AnswerFile::Counts AnswerFile::counts() {
    AnswerTable::Counts table;
    try {
        table = table_.counts();
    } catch (const Error& error) {
        note(error);
    }
    const std::lock_guard lock(mutex_);
    const uint64_t waiting = waiting_.count + writing_.count;
    return {.entries = table.entries + waiting,
            .bytes = table.bytes + waiting_.bytes + writing_.bytes + waiting * kRowBytes,
            .waiting = waiting,
            .lost = lost_,
            .failures = failures_};
}

}  // namespace dragoman::tm
