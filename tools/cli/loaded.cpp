// SPDX-License-Identifier: Apache-2.0
#include "loaded.h"

#include <fmt/format.h>

#include "feed.h"

namespace cli {

Loaded::Loaded(TranslateCommand& command)
    : command_(command), device_(command.machine.where()), models_(load()), translator_(make_translator()),
      suppress_(split(command.suppress)), suppress_views_(suppress_) {
    dragoman::TranslateOptions& options = command_.options;
    if (!command_.glossary.empty()) {
        glossary_.emplace(dragoman::Glossary::load(command_.glossary, command_.from.c_str(), command_.to.c_str()));
        options.glossary = glossary_->get();
    }
    open_memory();
    options.source_language = command_.from.c_str();
    options.target_language = command_.to.c_str();
    options.suppress_sequences = suppress_views_.data();
    options.suppress_sequence_count = suppress_views_.size();
    for (const std::string& token : command_.end_tokens) end_views_.push_back(dragoman::view(token));
    options.end_tokens = end_views_.empty() ? nullptr : end_views_.data();
    options.end_token_count = end_views_.size();
    const auto refuse = [&](bool refused, const char* why) {
        const std::string model = command_.machine.path() ? command_.machine.path() : "the default model";
        if (refused) throw Failure(model + ": " + why);
    };
    const dragoman_model_info last = models_.back().info();
    // What a translation shall begin with is a promise, which the unknown token would break. A route takes no prefix.
    for (const std::string& token : models_.size() == 1 ? split(command_.prefix) : std::vector<std::string>())
        if (!models_.back().has_token(token))
            throw Failure(
                fmt::format("--prefix: token \"{}\" is not in the model's vocabulary; --json shows "
                            "translations as the tokens that the model knows",
                            token));
    const bool alone = last.encoder_layers == 0;
    refuse(alone && !command_.continues, "is a decoder-only model, which continues texts; use dragoman continue");
    refuse(!alone && command_.continues, "is not a decoder-only model; use dragoman translate");
    refuse(!command_.tokens && !last.has_tokenizer,
           "the model has no tokenizer; use --tokens with space-separated tokens");
}

void Loaded::open_memory() {
    const bool kept = !command_.memory.empty() || command_.memory_size;
    if (!kept && command_.tmx.empty() && command_.write_tmx.empty()) return;
    dragoman::MemoryOptions options;
    options.path = command_.memory.c_str();
    options.record = !command_.write_tmx.empty();
    if (command_.memory_size)
        (command_.memory.empty() ? options.cache_bytes : options.file_bytes) = *command_.memory_size;
    if (!kept) options.cache_bytes = 0;
    memory_.emplace(options);
    for (const std::string& path : command_.tmx) memory_->load_tmx(path);
    command_.options.memory = memory_->get();
}

void Loaded::end() const {
    if (!command_.write_tmx.empty()) memory_->write_tmx(command_.write_tmx);
}

dragoman::ModelOptions Loaded::on(const dragoman::Device& device) const {
    dragoman::ModelOptions options = command_.machine.how();
    options.device = device.get();
    return options;
}

std::vector<dragoman::Model> Loaded::load() const {
    std::vector<dragoman::Model> models;
    if (command_.route.empty()) models.emplace_back(command_.machine.path(), on(device_));
    for (const std::string& path : way(command_)) models.emplace_back(path.c_str(), on(device_));
    return models;
}

// The models of --route that lead from --from to --to.
std::vector<std::string> Loaded::way(const TranslateCommand& command) {
    std::vector<const char*> paths;
    for (const std::string& path : command.route) paths.push_back(path.c_str());
    std::vector<std::size_t> places(paths.size());
    std::size_t length = 0;
    if (!paths.empty())
        dragoman::check(dragoman_find_route(paths.data(), paths.size(), command.from.c_str(), command.to.c_str(),
                                            places.data(), &length));
    std::vector<std::string> found;
    for (std::size_t i = 0; i < length; ++i) found.push_back(command.route[places[i]]);
    return found;
}

dragoman::Translator Loaded::make_translator() const {
    if (command_.route.empty()) return dragoman::Translator(models_.front());
    std::vector<const dragoman::Model*> views;
    for (const dragoman::Model& model : models_) views.push_back(&model);
    return dragoman::Translator(views, command_.from.c_str(), command_.to.c_str());
}

}  // namespace cli
