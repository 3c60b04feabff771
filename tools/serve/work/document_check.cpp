// SPDX-License-Identifier: Apache-2.0
#include "serve/work/document_check.h"

#include <dragoman/documents.h>

#include "serve/ascii.h"
#include "serve/work/decoding.h"
#include "serve/work/kept_files.h"

namespace serve::work {
namespace {

void check_languages(const DocumentAsk& ask, const DocumentTools& tools, DocumentState& state) {
    if (ask.to.empty()) throw Problem(Problem::Kind::missing, "the target language is missing", "to");
    const auto served = [&](const std::string& given) {
        std::string tag = tools.models.language(given);
        if (tag.empty()) throw Problem(Problem::Kind::unsupported_language, given + " is not supported", given);
        return tag;
    };
    state.to = served(ask.to);
    if (ask.from.empty() || in_small_letters(ask.from) == "auto") return;
    state.from = served(ask.from);
    if (!tools.models.translates(state.from, state.to))  // from a language to itself it is copied
        throw Problem(Problem::Kind::unsupported_pair, "no model leads from " + state.from + " to " + state.to,
                      state.from + "-" + state.to);
}

void check_format(const DocumentAsk& ask, DocumentState& state) {
    const std::int32_t said = ask.format.empty() ? 0 : dragoman_document_format_named(ask.format.c_str());
    if (!ask.format.empty() && said == DRAGOMAN_DOCUMENT_UNKNOWN)
        throw Problem(Problem::Kind::unsupported_type, "documents of the format " + ask.format + " are not read",
                      ask.format);
    state.format = said ? dragoman_document_format_name(said) : document_kind(ask.file, ask.name);
    if (state.format.empty())
        throw Problem(Problem::Kind::unsupported_type, "the format of " + state.name + " is not known", state.name);
}

// Whether there is what it names: a model, glossaries for its languages, a memory.
void check_things(const DocumentAsk& ask, const DocumentTools& tools, const DocumentState& state) {
    dragoman::TranslateOptions none;
    set_options(ask.options, none, 1);
    if (!ask.model.empty() && !tools.models.find(ask.model))
        throw Problem(Problem::Kind::not_found, "model " + ask.model + " is not served here", ask.model);
    for (const std::string& id : ask.glossaries) (void)tools.glossaries.get(ask.owner, id);
    if (!ask.glossaries.empty() && !state.from.empty() && state.from != state.to)
        (void)tools.glossaries.terms(ask.owner, ask.glossaries, state.from, state.to);
    if (!ask.memory.empty()) (void)tools.memories.get(ask.owner, ask.memory);
}

}  // namespace

std::shared_ptr<DocumentJob> checked_job(const DocumentAsk& ask, const DocumentTools& tools) {
    auto job = std::make_shared<DocumentJob>();
    DocumentState& state = job->state;
    check_utf8(ask.name, "name");
    check_utf8(ask.output_name, "output name");
    state.name = ask.name.empty() ? "document" : ask.name;
    check_languages(ask, tools, state);
    check_format(ask, state);
    check_things(ask, tools, state);
    state.id = random_id();
    state.secret = random_id();
    state.owner = ask.owner;
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
    return job;
}

}  // namespace serve::work
