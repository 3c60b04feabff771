// SPDX-License-Identifier: Apache-2.0
#include "serve/work/documents.h"

#include <dragoman/documents.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "base/os/path_text.h"
#include "serve/work/decoding.h"
#include "serve/work/document_run.h"
#include "serve/work/document_store.h"
#include "serve/work/kept_files.h"
#include "serve/work/language_codes.h"

namespace serve::work {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTellEvery{200};
constexpr std::size_t kMostNotes = 100;

Problem no_such_document() { return {Problem::Kind::not_found, "there is no such document", "document"}; }

}  // namespace

struct Documents::Impl {
    Impl(Models& all_models, Glossaries& all_glossaries, Memories& all_memories, const DocumentsOptions& given)
        : models(all_models), options(given), store(given.folder),
          tools{store, all_models, all_glossaries, all_memories} {
        for (auto& job : store.read(notes)) take_up(job);
        for (std::size_t i = 0; i < std::max<std::size_t>(options.threads, 1); ++i)
            threads.emplace_back([this] { work(); });
    }
    ~Impl() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
            for (const auto& [id, job] : jobs) job->stop = true;
        }
        changed.notify_all();
        for (std::thread& thread : threads) thread.join();
        for (const auto& [id, job] : jobs)
            if (!job->durable && !has_ended(job->state)) store.remove(id);
    }

    // What was there when the service started.
    void take_up(const std::shared_ptr<DocumentJob>& job) {
        DocumentState& state = job->state;
        if (!has_ended(state) && !job->durable) return store.remove(state.id);
        jobs[state.id] = job;
        if (has_ended(state)) return;
        state.state = "queued";
        queue.push_back(job);
    }
    void remove_old() {
        const auto now = std::chrono::system_clock::now();
        std::vector<std::string> old;
        {
            const std::lock_guard lock(mutex);
            for (const auto& [id, job] : jobs)
                if (has_ended(job->state) && !job->at_work && now - job->state.ended > options.kept) old.push_back(id);
            for (const std::string& id : old) jobs.erase(id);
        }
        for (const std::string& id : old) store.remove(id);
    }
    void work() {
        for (;;) {
            std::shared_ptr<DocumentJob> job;
            {
                std::unique_lock lock(mutex);
                const auto wait = std::min<std::chrono::milliseconds>(std::chrono::seconds(30), options.kept);
                changed.wait_for(lock, wait, [&] { return stopping || !queue.empty(); });
                if (stopping) return;
                if (!queue.empty()) {
                    job = queue.front();
                    queue.pop_front();
                    job->at_work = true;
                    job->begun = Clock::now();
                    job->state.state = "translating";
                }
            }
            if (job) run(*job);
            remove_old();
        }
    }
    void run(DocumentJob& job) {
        keep(job);
        tell(job);
        std::string outcome = "done", error;
        std::uint64_t characters = 0;
        try {
            DocumentRun task(tools, job, [&](const DocumentProgress& at) { return on_progress(job, at); });
            std::string from;
            {
                const std::lock_guard lock(mutex);
                from = job.state.from;
            }
            if (from.empty()) {
                from = task.detect_source();
                {
                    const std::lock_guard lock(mutex);
                    job.state.from = from;
                }
                keep(job);
            }
            characters = task.translate(from);
        } catch (const Problem& problem) {
            outcome = problem.kind == Problem::Kind::cancelled ? "cancelled" : "error";
            error = problem.what();
        } catch (const std::exception&) {
            outcome = "error";
            error = "the document cannot be translated";
        }
        bool removed = false;
        {
            const std::lock_guard lock(mutex);
            removed = job.removed;
            job.at_work = false;
            const bool goes_on = outcome == "cancelled" && !job.cancelled;  // the service ends
            job.state.state = goes_on ? "queued" : outcome;
            job.state.error = outcome == "error" ? error : "";
            job.state.seconds_remaining = outcome == "done" ? 0 : -1;
            job.state.characters = characters;
            if (outcome == "done") job.state.done = job.state.total, job.state.result = store.output(job.state.id);
            if (!goes_on) job.state.ended = std::chrono::system_clock::now();
            if (goes_on) return;
        }
        if (removed) store.remove(job.state.id);
        else keep(job);
        std::error_code none;
        std::filesystem::remove(store.resume(job.state.id), none);
        std::filesystem::remove(store.input(job.state.id), none);
        tell(job);
    }
    // Where job.json cannot be written the state in memory is still right, and the note says what happened.
    void keep(DocumentJob& job) {
        try {
            std::string text;
            {
                const std::lock_guard lock(mutex);
                text = DocumentStore::description(job);
            }
            store.write(job.state.id, text);
        } catch (const std::exception& problem) {
            const std::lock_guard lock(mutex);
            if (notes.size() < kMostNotes) notes.push_back("document " + job.state.id + ": " + problem.what());
        }
    }
    bool on_progress(DocumentJob& job, const DocumentProgress& at) {
        bool due = false;
        {
            const std::lock_guard lock(mutex);
            DocumentState& state = job.state;
            // Texts are counted in their order, sentences as they end.
            const bool known = at.of_sentences > 0;
            state.done = std::max(state.done, known ? at.sentences : at.texts);
            state.total = std::max(state.total, known ? at.of_sentences : at.of_texts);
            const double texts = at.of_texts ? double(at.texts) / double(at.of_texts) : 0;
            const double sentences = at.of_sentences ? double(at.sentences) / double(at.of_sentences) : 0;
            const double share = std::max(texts, sentences);
            const std::chrono::duration<double> taken = Clock::now() - job.begun;
            if (share > 0) state.seconds_remaining = int(std::min(taken.count() * (1 - share) / share, 1e6) + 0.5);
            due = Clock::now() - job.told > kTellEvery;
            if (due) job.told = Clock::now();
        }
        if (due) tell(job);
        return !job.stop;
    }
    void tell(DocumentJob& job) {
        std::vector<std::function<void(const DocumentState&)>> watchers;
        DocumentState state;
        {
            const std::lock_guard lock(mutex);
            state = job.state;
            watchers = job.watchers;
            if (has_ended(state)) job.watchers.clear();
        }
        for (const auto& watcher : watchers) watcher(state);
    }
    std::shared_ptr<DocumentJob> find(const std::string& id) const {  // with `mutex` held
        const auto job = jobs.find(id);
        if (job == jobs.end()) throw no_such_document();
        return job->second;
    }
    std::size_t unfinished() const {  // with `mutex` held
        return static_cast<std::size_t>(std::ranges::count_if(jobs, [](const auto& each) {
            return !has_ended(each.second->state);
        }));
    }

    Models& models;
    const DocumentsOptions options;
    const DocumentStore store;
    const DocumentTools tools;
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::map<std::string, std::shared_ptr<DocumentJob>> jobs;
    std::deque<std::shared_ptr<DocumentJob>> queue;
    std::vector<std::string> notes;
    bool stopping = false;
    std::vector<std::thread> threads;
};

namespace {

// Fills in what is checked before a document is taken. Throws Problem.
void check_document_ask(const DocumentAsk& ask, const DocumentTools& tools, DocumentJob& job) {
    DocumentState& state = job.state;
    check_utf8(ask.name, "name");
    state.name = ask.name.empty() ? "document" : ask.name;
    if (ask.to.empty()) throw Problem(Problem::Kind::missing, "the target language is missing", "to");
    const auto served = [&](const std::string& given) {
        std::string tag = tools.models.language(given);
        if (tag.empty()) throw Problem(Problem::Kind::unsupported_language, given + " is not supported", given);
        return tag;
    };
    state.to = served(ask.to);
    const bool detects = ask.from.empty() || in_small_letters(ask.from) == "auto";
    if (!detects) state.from = served(ask.from);
    if (!detects && (state.from == state.to || !tools.models.translates(state.from, state.to)))
        throw Problem(Problem::Kind::unsupported_pair, "no model leads from " + state.from + " to " + state.to,
                      state.from + "-" + state.to);
    const std::int32_t said = ask.format.empty() ? 0 : dragoman_document_format_named(ask.format.c_str());
    if (!ask.format.empty() && said == DRAGOMAN_DOCUMENT_UNKNOWN)
        throw Problem(Problem::Kind::unsupported_type, "documents of the format " + ask.format + " are not read",
                      ask.format);
    state.format = said ? dragoman_document_format_name(said) : document_kind(ask.file, ask.name);
    if (state.format.empty())
        throw Problem(Problem::Kind::unsupported_type, "the format of " + state.name + " is not known", state.name);
    dragoman::TranslateOptions none;
    set_options(ask.options, none, 1);
    if (!ask.model.empty() && !tools.models.find(ask.model))
        throw Problem(Problem::Kind::not_found, "model " + ask.model + " is not served here", ask.model);
    for (const std::string& id : ask.glossaries) (void)tools.glossaries.get(ask.owner, id);
    if (!ask.glossaries.empty() && !detects)
        (void)tools.glossaries.terms(ask.owner, ask.glossaries, state.from, state.to);
    if (!ask.memory.empty()) (void)tools.memories.get(ask.owner, ask.memory);
}

}  // namespace

Documents::Documents(Models& models, Translations&, Glossaries& glossaries, Memories& memories,
                     const DocumentsOptions& options)
    : impl_(std::make_unique<Impl>(models, glossaries, memories, options)) {}
Documents::~Documents() = default;

DocumentState Documents::add(DocumentAsk ask) {
    auto job = std::make_shared<DocumentJob>();
    DocumentState& state = job->state;
    check_document_ask(ask, impl_->tools, *job);
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(ask.file, error);
    if (error) throw Problem(Problem::Kind::failed, "the document cannot be read: " + error.message());
    impl_->remove_old();
    const std::uint64_t held = impl_->store.bytes();
    // The translation and its sentences take about as much again.
    if (held + 3 * size > impl_->options.most_bytes)
        throw Problem(Problem::Kind::busy,
                      "documents take " + std::to_string(held) + " of " + std::to_string(impl_->options.most_bytes) +
                          " bytes",
                      "", 5);
    state.id = random_id();
    state.secret = random_id();
    state.owner = ask.owner;
    check_utf8(ask.output_name, "output name");
    state.output_name = ask.output_name.empty() ? name_of_translation(state.name, state.to)
                                                : plain_file_name(ask.output_name);
    state.state = "queued";
    state.created = time_of(seconds_of(std::chrono::system_clock::now()));
    job->asked_from = ask.from;
    job->model = ask.model;
    job->memory = ask.memory;
    job->options = ask.options;
    job->glossaries = ask.glossaries;
    job->durable = ask.durable;
    {
        const std::lock_guard lock(impl_->mutex);
        const std::size_t now = impl_->unfinished();
        if (impl_->stopping || now >= impl_->options.most_waiting)
            throw Problem(Problem::Kind::busy,
                          std::to_string(now) + " of " + std::to_string(impl_->options.most_waiting) +
                              " documents wait",
                          "", 5);
        impl_->jobs[state.id] = job;  // takes its place while the file is moved
    }
    const DocumentState given = state;
    try {
        impl_->store.add(*job, ask.file);
    } catch (...) {
        const std::lock_guard lock(impl_->mutex);
        impl_->jobs.erase(given.id);
        throw;
    }
    {
        const std::lock_guard lock(impl_->mutex);
        if (!job->cancelled) impl_->queue.push_back(job);
    }
    impl_->changed.notify_one();
    return given;
}

DocumentState Documents::get(const std::string& id) const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->find(id)->state;
}

std::vector<DocumentState> Documents::list(const std::string& owner) const {
    std::vector<DocumentState> list;
    const std::lock_guard lock(impl_->mutex);
    for (const auto& [id, job] : impl_->jobs)
        if (job->state.owner == owner) list.push_back(job->state);
    std::ranges::stable_sort(list, {}, &DocumentState::created);
    return list;
}

void Documents::cancel(const std::string& id) {
    std::shared_ptr<DocumentJob> job;
    {
        const std::lock_guard lock(impl_->mutex);
        job = impl_->find(id);
        if (has_ended(job->state)) return;
        job->cancelled = true;
        job->stop = true;
        if (job->at_work) return;
        std::erase(impl_->queue, job);
        job->state.state = "cancelled";
        job->state.ended = std::chrono::system_clock::now();
    }
    impl_->keep(*job);
    impl_->tell(*job);
}

void Documents::remove(const std::string& id) {
    cancel(id);
    bool at_work = false;
    {
        const std::lock_guard lock(impl_->mutex);
        const std::shared_ptr<DocumentJob> job = impl_->find(id);
        at_work = job->at_work;
        job->removed = true;
        impl_->jobs.erase(id);
    }
    if (!at_work) impl_->store.remove(id);
}

void Documents::watch(const std::string& id, std::function<void(const DocumentState&)> on_change) {
    DocumentState state;
    {
        const std::lock_guard lock(impl_->mutex);
        const std::shared_ptr<DocumentJob> job = impl_->find(id);
        state = job->state;
        if (!has_ended(state)) job->watchers.push_back(on_change);
    }
    if (has_ended(state)) on_change(state);
}

std::vector<std::string> Documents::endings() {
    std::vector<std::string> known;
    for (const char* ending : {".txt",  ".html", ".htm",   ".xhtml", ".srt",  ".vtt", ".md",     ".markdown",
                               ".docx", ".pptx", ".xlsx",  ".odt",   ".ods",  ".odp", ".epub",   ".po",
                               ".pot",  ".xlf",  ".xliff", ".tmx",   ".json", ".arb", ".strings"})
        if (dragoman_document_format((std::string("name") + ending).c_str(), nullptr, 0) != DRAGOMAN_DOCUMENT_UNKNOWN)
            known.emplace_back(ending);
    return known;
}

std::size_t Documents::waiting() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->unfinished();
}

std::vector<std::string> Documents::notes() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->notes;
}

}  // namespace serve::work
