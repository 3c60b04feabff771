// SPDX-License-Identifier: Apache-2.0
#include "serve/work/documents.h"

#include <dragoman/documents.h>

#include <utility>

#include "serve/work/document_check.h"
#include "serve/work/document_queue.h"

namespace serve::work {

struct Documents::Impl {
    Impl(Models& models, Glossaries& glossaries, Memories& memories, const DocumentsOptions& given)
        : options(given), store(given.folder), tools{store, models, glossaries, memories}, queue(tools, given) {}

    const DocumentsOptions options;
    const DocumentStore store;
    const DocumentTools tools;
    DocumentQueue queue;
};

Documents::Documents(Models& models, Translations&, Glossaries& glossaries, Memories& memories,
                     const DocumentsOptions& options)
    : impl_(std::make_unique<Impl>(models, glossaries, memories, options)) {}
Documents::~Documents() = default;

void Documents::end() { impl_->queue.end(); }

DocumentState Documents::add(DocumentAsk ask) {
    const auto job = checked_job(ask, impl_->tools);
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(ask.file, error);
    if (error) throw Problem(Problem::Kind::failed, "the document cannot be read: " + error.message());
    impl_->queue.remove_old();
    const std::uint64_t held = impl_->store.bytes();
    // The translation and its sentences take about as much again.
    if (held + 3 * size > impl_->options.most_bytes)
        throw Problem(Problem::Kind::busy,
                      "documents take " + std::to_string(held) + " of " + std::to_string(impl_->options.most_bytes) +
                          " bytes",
                      "", 5);
    return impl_->queue.place(job, ask.file);
}

DocumentState Documents::get(const std::string& id) const { return impl_->queue.get(id); }
std::vector<DocumentState> Documents::list(const std::string& owner) const { return impl_->queue.list(owner); }
void Documents::cancel(const std::string& id) { impl_->queue.cancel(id); }
void Documents::remove(const std::string& id) { impl_->queue.remove(id); }
void Documents::watch(const std::string& id, OnChange on_change) { impl_->queue.watch(id, std::move(on_change)); }
std::size_t Documents::waiting() const { return impl_->queue.waiting(); }
std::vector<std::string> Documents::notes() const { return impl_->queue.notes(); }

std::vector<std::string> Documents::endings() {
    std::vector<std::string> known;
    for (const char* ending : {".txt",  ".html", ".htm",   ".xhtml", ".srt",  ".vtt", ".md",     ".markdown",
                               ".docx", ".pptx", ".xlsx",  ".odt",   ".ods",  ".odp", ".epub",   ".po",
                               ".pot",  ".xlf",  ".xliff", ".tmx",   ".json", ".arb", ".strings"})
        if (dragoman_document_format((std::string("name") + ending).c_str(), nullptr, 0) != DRAGOMAN_DOCUMENT_UNKNOWN)
            known.emplace_back(ending);
    return known;
}

}  // namespace serve::work
