// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "serve/work/documents.h"

namespace serve::work {

// A document and what a client asked for. Everything but `id` and `keeping` is guarded by the mutex of the queue.
struct DocumentJob {
    DocumentState state;
    std::string asked_from, model, memory;
    Json options = Json::object();
    std::vector<std::string> glossaries;
    bool durable = true;
    std::vector<std::shared_ptr<const Documents::OnChange>> watchers;
    std::atomic<bool> stop = false;        // it is cancelled, or the service ends
    bool cancelled = false, removed = false, at_work = false;  // at work: its files are, and are let alone
    std::chrono::steady_clock::time_point begun, told;
    std::mutex keeping;  // what is written to job.json is the newest: taken before the queue's mutex
};

constexpr std::size_t kOwnersShare = 4;  // a fourth, see DocumentsOptions

// A folder for each document: what was asked and what has become of it (job.json, written whole or not at all), the
// document, its translation, and the sentences that are done.
class DocumentStore {
public:
    explicit DocumentStore(std::filesystem::path folder);
    std::filesystem::path input(const std::string& id) const { return folder_ / id / "input"; }
    std::filesystem::path output(const std::string& id) const { return folder_ / id / "output"; }
    std::filesystem::path resume(const std::string& id) const { return folder_ / id / "resume"; }
    std::filesystem::path sentences(const std::string& id) const { return folder_ / id / "sentences"; }

    // Moves the file in. Throws Problem.
    void add(const std::string& id, const std::string& description, const std::filesystem::path& file) const;
    static std::string description(const DocumentJob& job);  // what is in job.json
    void write(const std::string& id, const std::string& description) const;
    void forget(const std::string& id) const;  // it is not read again; its files stay
    void remove(const std::string& id) const;
    // What was there at the start, in the order in which it came; broken ones are set aside.
    std::vector<std::shared_ptr<DocumentJob>> read(std::vector<std::string>& notes) const;
    std::uint64_t bytes(const std::string& id = "") const;  // of a document's files; "": of all

private:
    std::filesystem::path folder_;
};

}  // namespace serve::work
