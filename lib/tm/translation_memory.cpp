// SPDX-License-Identifier: Apache-2.0
#include "tm/translation_memory.h"

#include <cstring>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/os/path_text.h"
#include "tm/answer_journal.h"
#include "tm/tmx.h"

namespace dragoman::tm {

Memory::Memory(MemoryOptions options) : options_(std::move(options)), cache_(options_.cache_bytes) {
    if (!(options_.min_similarity > 0.0f && options_.min_similarity <= 1.0f))
        fail(Status::invalid_argument, "min_similarity: {} is not allowed; expected more than 0, at most 1",
             options_.min_similarity);
    if (!options_.path.empty()) file_.emplace(options_.path, options_.file_bytes);
    if (!options_.journal.empty())
        journal_ = std::make_unique<AnswerJournal>(path_of(options_.journal), options_.journal_key,
                                                   options_.journal_bytes);
}

Memory::~Memory() = default;

Fingerprint Memory::segments_fingerprint() const { return segments().fingerprint(); }

const std::string& Memory::context(std::string description) {
    const std::lock_guard lock(mutex_);
    return *contexts_.insert(std::move(description)).first;
}

// Contexts do not move, so their addresses identify them.
std::string Memory::in_context(const std::string& context, std::string_view question) {
    const std::string* const address = &context;
    std::string key(sizeof address, '\0');
    std::memcpy(key.data(), &address, sizeof address);
    return key.append(question);
}

Answer Memory::find(const std::string& context, const std::string& question) {
    std::string key = in_context(context, question);
    if (Answer answer = cache_.find(key)) {
        ++hits_;
        return answer;
    }
    Answer answer = file_ ? file_->find(context, question) : nullptr;
    if (!answer && journal_) answer = journal_->find(context, question);
    ++(answer ? file_hits_ : misses_);
    if (!answer && options_.base) answer = options_.base->find(options_.base->context(context), question);
    if (answer) cache_.put(std::move(key), answer);
    return answer;
}

void Memory::keep(const std::string& context, const std::string& question, std::string answer) {
    const auto kept = std::make_shared<const std::string>(std::move(answer));
    cache_.put(in_context(context, question), kept);
    if (file_) file_->put(context, question, kept);
    if (journal_) journal_->put(context, question, kept);
    if (options_.base) options_.base->keep(options_.base->context(context), question, *kept);
}

std::optional<std::string> Memory::exact(const spec::LanguageTag& from, const spec::LanguageTag& to,
                                         std::string_view text) {
    if (options_.base) return options_.base->exact(from, to, text);
    auto found = segments_.exact(from, to, text);
    if (found) ++exact_;
    return found;
}

bool Memory::has(const spec::LanguageTag& from, const spec::LanguageTag& to, std::string_view text) const {
    return segments().exact(from, to, text).has_value();
}

std::vector<Match> Memory::similar(const spec::LanguageTag& from, const spec::LanguageTag& to, std::string_view text) {
    if (options_.base) return options_.base->similar(from, to, text);
    auto found = segments_.similar(from, to, text, options_.min_similarity, options_.max_matches);
    if (!found.empty()) ++similar_;
    return found;
}

// A file that cannot be read to its end adds nothing.
std::size_t Memory::load_tmx(const std::filesystem::path& path) {
    std::vector<std::vector<Segment>> units;
    tm::read_tmx_file(path, [&](std::vector<Segment> unit) { units.push_back(std::move(unit)); });
    std::size_t kept = 0;
    for (std::vector<Segment>& unit : units) kept += add(std::move(unit));
    return kept;
}

std::size_t Memory::read_tmx(std::string_view bytes) {
    std::vector<std::vector<Segment>> units;
    tm::read_tmx(bytes, [&](std::vector<Segment> unit) { units.push_back(std::move(unit)); });
    std::size_t kept = 0;
    for (std::vector<Segment>& unit : units) kept += add(std::move(unit));
    return kept;
}

void Memory::record(Segment source, Segment target) {
    if (options_.base) return options_.base->record(std::move(source), std::move(target));
    const std::string key = source.language + '\0' + target.language + '\0' + source.text + '\0' + target.text;
    const std::lock_guard lock(mutex_);
    const auto [place, fresh] = recorded_keys_.try_emplace(key, recorded_.size());
    if (!fresh) {
        ++recorded_counts_[place->second];
        return;
    }
    recorded_.push_back({std::move(source), std::move(target)});
    recorded_counts_.push_back(1);
}

void Memory::write_tmx(const std::filesystem::path& path) const {
    const std::lock_guard lock(mutex_);
    write_tmx_file(path, recorded_, recorded_counts_);
}

MemoryStats Memory::stats() const {
    const AnswerCache::Counts cache = cache_.counts();
    MemoryStats stats{.entries = cache.entries,
                      .bytes = cache.bytes,
                      .evicted = cache.evicted,
                      .hits = hits_,
                      .file_hits = file_hits_,
                      .misses = misses_,
                      .segments = segments().size(),
                      .exact = exact_,
                      .similar = similar_};
    if (file_) {
        const AnswerFile::Counts file = file_->counts();
        stats.file_entries = file.entries;
        stats.file_bytes = file.bytes;
        stats.file_waiting = file.waiting;
        stats.file_lost = file.lost;
        stats.file_failures = file.failures;
    }
    const std::lock_guard lock(mutex_);
    stats.recorded = recorded_.size();
    return stats;
}

void Memory::flush() {
    if (file_) file_->flush();
    if (options_.base) options_.base->flush();
}

void Memory::clear() {
    cache_.clear();
    if (file_) file_->clear();
    if (journal_) journal_->clear();
    segments_.clear();
    const std::lock_guard lock(mutex_);
    recorded_.clear();
    recorded_counts_.clear();
    recorded_keys_.clear();
}

}  // namespace dragoman::tm
