// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "serve/problem.h"
#include "serve/work/translations.h"

namespace serve::work {

struct DocumentAsk {
    std::filesystem::path file;  // is moved away, and removed when the document goes
    std::string name;            // as the client calls it: tells the format; never a path of ours
    std::string format;          // "docx" ...; "": found
    std::string output_name;     // "": the name with "_TO" before its ending
    std::string from, to, model;
    Json options = Json::object();
    std::vector<std::string> glossaries;  // ids
    std::string owner;
    bool durable = true;         // goes on after a restart
    std::string memory;          // id; empty: none
};

struct DocumentState {
    std::string id, secret, owner, name, output_name, format, from, to;  // secret: what a client needs besides the id
    std::string state;  // "queued", "translating", "done", "error", "cancelled"
    std::string error;
    bool over_quota = false;  // which is the error
    std::size_t done = 0, total = 0;  // sentences; `total` grows while they are found
    std::uint64_t characters = 0;  // of the source, when it is done
    int seconds_remaining = -1;  // -1: not known
    std::chrono::system_clock::time_point created, ended;
    std::filesystem::path result;  // when done
};
bool has_ended(const DocumentState& state);

// Of places and bytes an owner with a key has a quarter, so that one cannot take all of them; a single document may be
// as large as there is room.
struct DocumentsOptions {
    std::filesystem::path folder;  // a folder of each document in it
    std::size_t most_waiting = 200;  // beyond: Problem busy
    std::size_t threads = 2;  // documents at work at a time
    std::chrono::seconds kept{3600};  // after they have ended
    std::uint64_t most_bytes = std::uint64_t(4) << 30;  // of all files in the folder
    // Who pays. On threads of the documents; null: nobody. Before a document's work, which this refuses with a Problem;
    // when it is done, before its client can know: a Problem makes an error of it. A process that is killed behind that
    // charges the same id again. `settled` comes once that cannot be any more.
    std::function<void(const std::string& owner, const std::string& id)> may_begin{};
    std::function<void(const std::string& owner, const std::string& id, std::uint64_t characters)> charge{};
    std::function<void(const std::string& id)> settled{};
    // What went wrong in the background, in words for the operator; null: notes() has it.
    std::function<void(const std::string&)> trouble{};
};

// Documents as jobs: those that are durable go on after the process was killed, from the sentences that were done.
// Any thread.
class Documents {
public:
    Documents(Models& models, Translations& translations, class Glossaries& glossaries, class Memories& memories,
              const DocumentsOptions& options);
    ~Documents();
    // Takes nothing more and stops what is at work: durable ones go on when the service starts again. Behind it no
    // watcher is called by a thread of ours.
    void end();

    DocumentState add(DocumentAsk ask);  // throws Problem: languages, format, busy
    DocumentState get(const std::string& id) const;  // throws Problem not_found
    std::vector<DocumentState> list(const std::string& owner) const;
    void cancel(const std::string& id);
    void remove(const std::string& id);
    // Called on each change of state or progress until it has ended; replaces nothing. On any thread; must not wait.
    // False: not any more.
    using OnChange = std::function<bool(const DocumentState&)>;
    void watch(const std::string& id, OnChange on_change);
    // Endings of names that it can read, with a dot: ".docx".
    static std::vector<std::string> endings();
    std::size_t waiting() const;
    // What was broken in the folder when it was read; for the log.
    std::vector<std::string> notes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::work
