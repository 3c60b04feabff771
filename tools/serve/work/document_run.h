// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "serve/work/document_store.h"
#include "serve/work/glossaries.h"
#include "serve/work/memories.h"
#include "serve/work/models.h"

namespace serve::work {

// "docx" ...; by the beginning of the file and the client's name for it. Empty: not known.
std::string document_kind(const std::filesystem::path& file, const std::string& name);

// A client's name without folders and without what no file name should have.
std::string plain_file_name(const std::string& name);
// "report_de.docx" for "report.docx".
std::string name_of_translation(const std::string& name, const std::string& to);

// What of a document's translation its state shows.
struct DocumentProgress {
    std::size_t texts = 0, of_texts = 0, sentences = 0, of_sentences = 0;
};

// What a translation of a document needs.
struct DocumentTools {
    const DocumentStore& store;
    Models& models;
    const Glossaries& glossaries;
    const Memories& memories;
};

// One translation of a document, on the thread that asks for it.
class DocumentRun {
public:
    using Progress = std::function<bool(const DocumentProgress&)>;  // on any thread, one at a time; false stops
    DocumentRun(const DocumentTools& tools, const DocumentJob& job, Progress progress)
        : tools_(tools), job_(job), progress_(std::move(progress)) {}

    // The language that it is in, as far as its first sentences tell; see source_of(). Throws Problem.
    std::string detect_source();
    // Translates from a served language and gives the number of characters; 0 where that is the target, and the
    // document is copied. Throws Problem; cancelled: it was stopped.
    std::uint64_t translate(const std::string& from);

private:
    std::shared_ptr<Way> way(const std::string& from);
    void run(const Way& way, dragoman::TranslateOptions options, const std::string& output, const std::string& resume);
    std::uint64_t run_with_retries(const std::string& from, dragoman::TranslateOptions options);
    Problem problem_of(const dragoman::Error& error) const;

    const DocumentTools& tools_;
    const DocumentJob& job_;
    Progress progress_;
    std::mutex mutex_;
    DocumentProgress at_{};
};

}  // namespace serve::work
