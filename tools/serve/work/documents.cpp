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
    void check_room(const std::string& owner, std::uint64_t more) const {
        const auto busy = [](const char* whose, std::uint64_t held, std::uint64_t most) {
            return Problem(Problem::Kind::busy,
                           "documents" + std::string(whose) + " take " + std::to_string(held) + " of " +
                               std::to_string(most) + " bytes",
                           "", 5);
        };
        const std::uint64_t held = store.bytes();
        if (held + more > options.most_bytes) throw busy("", held, options.most_bytes);
        if (owner.empty()) return;
        std::uint64_t own = 0;
        for (const DocumentState& state : queue.list(owner)) own += store.bytes(state.id);
        const std::uint64_t share = options.most_bytes / kOwnersShare;
        if (own > 0 && own + more > share) throw busy(" of this key", own, share);  // a single one may be larger
    }

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
    impl_->check_room(ask.owner, 3 * size);  // the translation and its sentences take about as much again
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
    for (const char* ending : {".txt",      ".html", ".htm",   ".xhtml", ".srt",  ".vtt", ".ass",    ".ssa",  ".md",
                               ".markdown", ".docx", ".pptx",  ".xlsx",  ".odt",  ".ods", ".odp",    ".epub", ".po",
                               ".pot",      ".xlf",  ".xliff", ".tmx",   ".json", ".arb", ".strings"})
        if (dragoman_document_format((std::string("name") + ending).c_str(), nullptr, 0) != DRAGOMAN_DOCUMENT_UNKNOWN)
            known.emplace_back(ending);
    return known;
}

}  // namespace serve::work
