// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/work/document_run.h"
#include "serve/work/document_store.h"
#include "serve/work/documents.h"

namespace serve::work {

// The documents of a service, those that wait in their order, and the threads that translate them. Any thread.
class DocumentQueue {
public:
    // With what the store has of the last time.
    DocumentQueue(const DocumentTools& tools, const DocumentsOptions& options);
    ~DocumentQueue() { end(); }
    void end();  // see Documents::end()

    // Takes a document with its file; throws Problem.
    DocumentState place(const std::shared_ptr<DocumentJob>& job, const std::filesystem::path& file);
    DocumentState get(const std::string& id) const;
    std::vector<DocumentState> list(const std::string& owner) const;
    void cancel(const std::string& id);
    void remove(const std::string& id);
    void watch(const std::string& id, Documents::OnChange on_change);
    void remove_old();
    std::size_t waiting() const;
    std::vector<std::string> notes() const;

private:
    // Those below want `mutex_` to be held.
    std::shared_ptr<DocumentJob> find(const std::string& id) const;
    std::size_t unfinished() const;
    void check_places(const std::string& owner) const;  // throws Problem (busy)
    static void set_cancelled(DocumentJob& job);

    // document_queue_work.cpp
    void work();
    void run(DocumentJob& job);
    std::uint64_t translate(DocumentJob& job);
    void charge(const DocumentJob& job, std::uint64_t characters);
    void end_run(DocumentJob& job, const std::string& outcome, const std::string& error, std::uint64_t characters);
    bool on_progress(DocumentJob& job, const DocumentProgress& at);
    bool keep(DocumentJob& job);  // false: job.json is as it was
    bool keep_end(DocumentJob& job);  // and lets go of what only the work needed
    void remove_files(DocumentJob& job);
    void settle(const DocumentJob& job);
    void tell(DocumentJob& job);
    void report(const std::string& trouble);

    const DocumentTools tools_;
    const DocumentsOptions options_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, std::shared_ptr<DocumentJob>> jobs_;
    std::deque<std::shared_ptr<DocumentJob>> queue_;
    std::vector<std::string> notes_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace serve::work
