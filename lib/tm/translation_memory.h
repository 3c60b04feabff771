// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tm/answer_cache.h"
#include "tm/answer_file.h"
#include "tm/segments.h"

namespace dragoman::tm {

class AnswerJournal;
class Memory;

struct MemoryOptions {
    std::size_t cache_bytes = 64u << 20;  // size of the answers in memory; 0: none are kept
    std::string path{};                   // path of the file that also keeps them; empty: none
    uint64_t file_bytes = 1u << 30;       // size of the answers in the file
    float min_similarity = 0.75f;         // of the offered segments to the sentence
    uint32_t max_matches = 3;             // segments offered for a sentence; 0: none
    bool record = false;                  // keeps translations for write_tmx()
    std::string journal{}, journal_key{};  // a file that every answer is written to at once; empty: none
    uint64_t journal_bytes = 0;           // a larger one begins anew; 0: it never does
    std::shared_ptr<Memory> base{};       // another one, whose answers, segments and record are used, too
};

struct MemoryStats {
    uint64_t entries = 0, bytes = 0, evicted = 0;  // answers in memory
    uint64_t file_entries = 0, file_bytes = 0;
    uint64_t file_waiting = 0, file_lost = 0, file_failures = 0;  // see AnswerFile::Counts
    uint64_t hits = 0, file_hits = 0, misses = 0;  // hits: in memory
    uint64_t segments = 0;             // units of translation memories
    uint64_t exact = 0, similar = 0;   // sentences with an equal segment, or with similar ones
    uint64_t recorded = 0;
};

// A translation memory: answers of searches, segments of translation memories, and recorded translations. Safe from any
// thread; translators share one.
class Memory {
public:
    // Throws invalid_argument for options, io_error as AnswerFile does.
    explicit Memory(MemoryOptions options);
    ~Memory();

    // The common part of many questions; lives as long as the memory.
    const std::string& context(std::string description);
    Answer find(const std::string& context, const std::string& question);  // null: none
    void keep(const std::string& context, const std::string& question, std::string answer);

    bool has_segments() const { return segments().size() > 0; }
    Fingerprint segments_fingerprint() const;
    std::optional<std::string> exact(const spec::LanguageTag& from, const spec::LanguageTag& to, std::string_view text);
    // Similar segments, within the options' limits.
    std::vector<Match> similar(const spec::LanguageTag& from, const spec::LanguageTag& to, std::string_view text);
    // Whether there is a translation; does not count as a question.
    bool has(const spec::LanguageTag& from, const spec::LanguageTag& to, std::string_view text) const;
    bool add(std::vector<Segment> unit) { return segments().add(std::move(unit)); }
    std::size_t load_tmx(const std::filesystem::path& path);  // returns the number of units kept
    std::size_t read_tmx(std::string_view bytes);

    bool records() const { return options_.base ? options_.base->records() : options_.record; }
    void record(Segment source, Segment target);  // keeps each pair once, and counts it
    void write_tmx(const std::filesystem::path& path) const;

    MemoryStats stats() const;
    void flush();  // writes waiting answers to the file
    void clear();  // removes answers (from the file, too), segments and recorded translations

private:
    const Segments& segments() const { return options_.base ? options_.base->segments() : segments_; }
    Segments& segments() { return options_.base ? options_.base->segments() : segments_; }
    static std::string in_context(const std::string& context, std::string_view question);

    const MemoryOptions options_;
    AnswerCache cache_;
    mutable std::optional<AnswerFile> file_;
    std::unique_ptr<AnswerJournal> journal_;
    Segments segments_;
    mutable std::mutex mutex_;  // guards these
    std::set<std::string> contexts_;
    std::vector<std::vector<Segment>> recorded_;
    std::vector<uint64_t> recorded_counts_;
    std::unordered_map<std::string, std::size_t> recorded_keys_;  // places in both
    std::atomic<uint64_t> hits_ = 0, file_hits_ = 0, misses_ = 0, exact_ = 0, similar_ = 0;
};

}  // namespace dragoman::tm
