// SPDX-License-Identifier: Apache-2.0
#include "serve/work/document_run.h"

#include <dragoman/documents.hpp>

#include <algorithm>
#include <fstream>
#include <future>
#include <optional>

#include "base/os/path_text.h"
#include "serve/work/decoding.h"
#include "serve/work/detection.h"
#include "serve/work/kept_files.h"
#include "serve/work/language_codes.h"
#include "serve/work/tmx_units.h"

namespace serve::work {
namespace {

constexpr std::size_t kSampleTexts = 40;                // whose languages tell that of a document
constexpr std::uint32_t kSampleTokens = 8;              // of a translation: with none a memory does not record it
constexpr std::uint64_t kMostSentenceBytes = 1u << 30;  // of the sentences of a document
constexpr std::uint64_t kMostPackageBytes = 256u << 20;  // of one whose name does not tell its format
constexpr std::uint32_t kMostHypotheses = 1;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    if (what.empty()) return text;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

// Gives each sentence that a memory has recorded, in the language it was in, and how often it came.
void read_recorded(const dragoman::TranslationMemory& memory, const std::filesystem::path& file,
                   const std::function<void(const std::string& sentence, std::uint64_t count)>& take) {
    memory.write_tmx(dragoman::text_of(file));
    const std::string tmx = read_whole(file, kMostSentenceBytes);
    std::error_code none;
    std::filesystem::remove(file, none);
    read_tmx_units(tmx, [&](const TmxUnit& unit) {
        if (!unit.variants.empty()) take(unit.variants.front().second, unit.count);
        return true;
    });
}

std::uint64_t count_of_characters(std::string_view text) {
    return static_cast<std::uint64_t>(std::ranges::count_if(text, [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

dragoman::MemoryOptions recording() {
    dragoman::MemoryOptions options;
    options.record = 1;
    return options;
}

}  // namespace

std::string document_kind(const std::filesystem::path& file, const std::string& name) {
    std::string bytes(65536, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    if (!bytes.starts_with("PK")) return dragoman::document_format(name.c_str(), bytes);
    // What is in a package is said at its end.
    const std::string said = dragoman::document_format(name.c_str());
    std::error_code none;
    if (!said.empty() || std::filesystem::file_size(file, none) > kMostPackageBytes) return said;
    return dragoman::document_format(nullptr, read_whole(file, kMostPackageBytes));
}

std::string plain_file_name(const std::string& name) {
    std::string plain = name.substr(name.find_last_of("/\\") + 1);
    std::erase_if(plain, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '"'; });
    if (plain.size() > 200) plain.erase(0, plain.size() - 200);
    while (!plain.empty() && (static_cast<unsigned char>(plain.front()) & 0xC0) == 0x80) plain.erase(0, 1);
    if (plain.empty() || plain == "." || plain == "..") plain = "document";
    return plain;
}

std::string name_of_translation(const std::string& name, const std::string& to) {
    std::string plain = plain_file_name(name);
    const std::size_t dot = plain.rfind('.');
    return plain.insert(dot == plain.npos || dot == 0 ? plain.size() : dot, "_" + to);
}

// Of a failure, as much as a client may know: its own names instead of ours.
Problem DocumentRun::problem_of(const dragoman::Error& error) const {
    const DocumentState& state = job_.state;
    const DocumentStore& store = tools_.store;
    std::string message = error.what();
    message = replaced(message, dragoman::text_of(store.input(state.id)), state.name);
    message = replaced(message, dragoman::text_of(store.output(state.id)), state.output_name);
    message = replaced(message, dragoman::text_of(store.input(state.id).parent_path()), "the service's folder");
    switch (error.status()) {
        case DRAGOMAN_CANCELLED: return {Problem::Kind::cancelled, "cancelled"};
        case DRAGOMAN_INVALID_ARGUMENT: return {Problem::Kind::bad_request, message};
        case DRAGOMAN_UNSUPPORTED: return {Problem::Kind::unsupported_type, message};
        case DRAGOMAN_OUT_OF_MEMORY: return {Problem::Kind::failed, "the device has not enough memory"};
        case DRAGOMAN_DEVICE_LOST: return {Problem::Kind::failed, "the device was lost twice"};
        default: return {Problem::Kind::failed, message};
    }
}

std::shared_ptr<Way> DocumentRun::way(const std::string& from) {
    auto promise = std::make_shared<std::promise<std::variant<std::shared_ptr<Way>, Problem>>>();
    tools_.models.way(from, job_.state.to, job_.model, [promise](auto found) { promise->set_value(std::move(found)); });
    auto found = promise->get_future().get();
    if (const auto* problem = std::get_if<Problem>(&found)) throw *problem;
    return std::get<std::shared_ptr<Way>>(std::move(found));
}

void DocumentRun::run(const Way& way, dragoman::TranslateOptions options, const std::string& output,
                      const std::string& resume) {
    options.source_language = way.from.c_str();
    options.target_language = way.to.c_str();
    options.discard_tokens = 1;
    // Sentences end before their texts are written, and a document may be one text.
    options.progress = [](size_t done, size_t total, void* user) -> int32_t {
        auto& self = *static_cast<DocumentRun*>(user);
        const std::lock_guard lock(self.mutex_);
        self.at_.sentences = done;
        self.at_.of_sentences = total;
        return self.progress_(self.at_) ? 0 : 1;
    };
    options.progress_user = this;
    dragoman::DocumentOptions how;
    how.format = job_.state.format;
    how.resume = resume;
    how.progress = [this](std::size_t done, std::size_t total) {
        const std::lock_guard lock(mutex_);
        at_.texts = done;
        at_.of_texts = total;
        return progress_(at_);
    };
    const std::string input = dragoman::text_of(tools_.store.input(job_.state.id));
    dragoman::translate_document(*way.translator, input.c_str(), output.c_str(), options, how);
}

// The sentences are the library's own: it reads some of them with the beginnings of translations, and stops.
std::string DocumentRun::detect_source() {
    Models& models = tools_.models;
    const std::string& to = job_.state.to;
    std::string any;
    for (const ServedLanguage& language : models.languages())
        if (any.empty() && language.tag != to && models.translates(language.tag, to)) any = language.tag;
    const std::shared_ptr<Way> first = way(any);
    const dragoman::TranslationMemory memory(recording());
    dragoman::TranslateOptions options;
    options.memory = memory.get();
    options.beam_size = 1;
    options.max_decoding_length = kSampleTokens;
    const std::filesystem::path output = tools_.store.output(job_.state.id).parent_path() / "sample";
    bool enough = false;
    DocumentRun sample(tools_, job_, [&](const DocumentProgress& at) {
        enough = at.texts >= kSampleTexts || at.sentences >= kSampleTexts;
        return !enough && progress_({});
    });
    try {
        sample.run(*first, options, dragoman::text_of(output), "");
    } catch (const dragoman::Error& error) {
        if (!enough) throw problem_of(error);
    }
    std::error_code none;
    std::filesystem::remove(output, none);
    std::vector<std::string> sentences;
    read_recorded(memory, tools_.store.sentences(job_.state.id),
                  [&](const std::string& sentence, std::uint64_t) { sentences.push_back(sentence); });
    const std::optional<Guess> best = source_of(models, detect(models, sentences), to);
    return best ? best->tag : any;
}

// With what was translated before the service was stopped; a lost device is opened again once. Each time all sentences
// are recorded anew, those that were translated before, too, and so they are counted once.
std::uint64_t DocumentRun::run_with_retries(const std::string& from, dragoman::TranslateOptions options) {
    const std::string segments = job_.memory.empty() ? "" : tools_.memories.tmx(job_.state.owner, job_.memory);
    const std::string output = dragoman::text_of(tools_.store.output(job_.state.id));
    const std::filesystem::path resume = tools_.store.resume(job_.state.id);
    std::error_code none;
    bool kept = std::filesystem::exists(resume, none);
    for (bool lost = false;;) {
        const std::shared_ptr<Way> loaded = way(from);
        dragoman::TranslationMemory memory(recording());
        if (!segments.empty()) (void)memory.read_tmx(segments);
        options.memory = memory.get();
        try {
            run(*loaded, options, output, dragoman::text_of(resume));
            std::uint64_t characters = 0;
            read_recorded(memory, tools_.store.sentences(job_.state.id),
                          [&](const std::string& sentence, std::uint64_t count) {
                              characters += count_of_characters(sentence) * count;
                          });
            return characters;
        } catch (const dragoman::Error& error) {
            if (kept && error.status() == DRAGOMAN_INVALID_ARGUMENT) {  // of another model, or another library
                std::filesystem::remove(resume, none);
                kept = false;
            } else if (!lost && error.status() == DRAGOMAN_DEVICE_LOST) {
                tools_.models.lost(*loaded);
                lost = true;
            } else {
                throw problem_of(error);
            }
        }
    }
}

std::uint64_t DocumentRun::translate(const std::string& from) {
    const DocumentState& state = job_.state;
    if (from == state.to) {
        std::filesystem::copy_file(tools_.store.input(state.id), tools_.store.output(state.id),
                                   std::filesystem::copy_options::overwrite_existing);
        return 0;
    }
    try {
        const auto terms =
            job_.glossaries.empty() ? nullptr : tools_.glossaries.terms(state.owner, job_.glossaries, from, state.to);
        dragoman::TranslateOptions options;
        set_options(job_.options, options, kMostHypotheses);
        options.glossary = terms ? terms->get() : nullptr;
        return run_with_retries(from, options);
    } catch (const dragoman::Error& error) {
        throw problem_of(error);
    }
}

}  // namespace serve::work
