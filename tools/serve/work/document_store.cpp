// SPDX-License-Identifier: Apache-2.0
#include "serve/work/document_store.h"

#include <algorithm>

#include "base/os/path_text.h"
#include "serve/work/kept_files.h"

namespace serve::work {
namespace {

constexpr std::uint64_t kMostJobBytes = 1u << 20;  // of a job.json

Json to_json(const DocumentJob& job) {
    const DocumentState& state = job.state;
    return {{"format", 1},
            {"id", state.id},
            {"secret", state.secret},
            {"owner", state.owner},
            {"name", state.name},
            {"output_name", state.output_name},
            {"kind", state.format},
            {"asked_from", job.asked_from},
            {"from", state.from},
            {"to", state.to},
            {"model", job.model},
            {"memory", job.memory},
            {"options", job.options},
            {"glossaries", job.glossaries},
            {"durable", job.durable},
            {"cancelled", job.cancelled},
            {"state", state.state},
            {"error", state.error},
            {"done", state.done},
            {"total", state.total},
            {"characters", state.characters},
            {"created", seconds_of(state.created)},
            {"ended", seconds_of(state.ended)}};
}

std::shared_ptr<DocumentJob> job_of(const Json& json) {
    auto job = std::make_shared<DocumentJob>();
    DocumentState& state = job->state;
    if (json.at("format") != 1) throw std::runtime_error("format " + json.at("format").dump() + " is not known");
    const auto text = [&](const char* name, std::string& to) { json.at(name).get_to(to); };
    text("id", state.id);
    text("secret", state.secret);
    text("owner", state.owner);
    text("name", state.name);
    text("output_name", state.output_name);
    text("kind", state.format);
    text("asked_from", job->asked_from);
    text("from", state.from);
    text("to", state.to);
    text("model", job->model);
    text("memory", job->memory);
    text("state", state.state);
    text("error", state.error);
    job->options = json.at("options");
    json.at("glossaries").get_to(job->glossaries);
    json.at("durable").get_to(job->durable);
    job->cancelled = json.value("cancelled", false);  // by a client, while it was at work
    json.at("done").get_to(state.done);
    json.at("total").get_to(state.total);
    json.at("characters").get_to(state.characters);
    state.created = time_of(json.at("created").get<std::int64_t>());
    state.ended = time_of(json.at("ended").get<std::int64_t>());
    constexpr std::string_view kStates[] = {"queued", "translating", "done", "error", "cancelled"};
    if (std::ranges::find(kStates, state.state) == std::end(kStates))
        throw std::runtime_error("state \"" + state.state + "\" is not known");
    return job;
}

}  // namespace

bool has_ended(const DocumentState& state) { return state.state != "queued" && state.state != "translating"; }

DocumentStore::DocumentStore(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
}

void DocumentStore::add(const std::string& id, const std::string& description,
                        const std::filesystem::path& file) const {
    std::error_code error;
    std::filesystem::create_directory(folder_ / id, error);
    const std::filesystem::path input = this->input(id);
    if (!error) std::filesystem::rename(file, input, error);
    if (error == std::errc::cross_device_link) {
        error.clear();
        std::filesystem::copy_file(file, input, error);
        std::error_code none;
        if (!error) std::filesystem::remove(file, none);
    }
    try {
        if (error) throw Problem(Problem::Kind::failed, "the document cannot be kept: " + error.message());
        write(id, description);
    } catch (const Problem&) {
        remove(id);
        throw;
    }
}

std::string DocumentStore::description(const DocumentJob& job) {
    return to_json(job).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void DocumentStore::write(const std::string& id, const std::string& description) const {
    write_whole(folder_ / id / "job.json", description);
}

void DocumentStore::forget(const std::string& id) const {
    std::error_code none;
    if (is_id(id)) std::filesystem::remove(folder_ / id / "job.json", none);
}

void DocumentStore::remove(const std::string& id) const {
    std::error_code none;
    if (is_id(id)) std::filesystem::remove_all(folder_ / id, none);
}

std::vector<std::shared_ptr<DocumentJob>> DocumentStore::read(std::vector<std::string>& notes) const {
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        if (is_id(dragoman::text_of(entry.path().filename()))) folders.push_back(entry.path());
    std::vector<std::shared_ptr<DocumentJob>> jobs;
    for (const auto& folder : folders) {
        const std::string id = dragoman::text_of(folder.filename());
        if (!std::filesystem::exists(folder / "job.json")) {  // it was never promised to anybody
            remove(id);
            continue;
        }
        try {
            auto job = job_of(Json::parse(read_whole(folder / "job.json", kMostJobBytes)));
            if (job->state.id != id) throw std::runtime_error("its id is " + job->state.id);
            if (!has_ended(job->state) && !job->cancelled && !std::filesystem::exists(input(id)))
                throw std::runtime_error("the document is missing");
            if (job->state.state == "done") {
                if (!std::filesystem::exists(output(id))) throw std::runtime_error("the translation is missing");
                job->state.result = output(id);
            }
            jobs.push_back(std::move(job));
        } catch (const std::exception& error) {
            notes.push_back(set_aside(folder, error.what()));
        }
    }
    std::ranges::stable_sort(jobs, {}, [](const auto& job) { return job->state.created; });
    return jobs;
}

std::uint64_t DocumentStore::bytes(const std::string& id) const {
    std::uint64_t sum = 0;
    std::error_code error, none;
    for (std::filesystem::recursive_directory_iterator at(folder_ / id, error), end; !error && at != end;
         at.increment(error))
        if (at->is_regular_file(none)) {
            const std::uint64_t size = at->file_size(none);
            if (!none) sum += size;
        }
    return sum;
}

}  // namespace serve::work
