// SPDX-License-Identifier: Apache-2.0
#include "serve/work/catalog.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "base/os/path_text.h"
#include "serve/ascii.h"

namespace serve::work {
namespace {

using Language = CatalogModel::Language;

const Language* closest_language(const std::vector<Language>& languages, const LanguageCode& wanted) {
    std::vector<LanguageCode> codes;
    for (const Language& language : languages) {
        if (language.code == wanted) return &language;
        codes.push_back(language.code);
    }
    const auto at = closest(wanted, codes);
    return at ? &languages[*at] : nullptr;
}

std::vector<Language> told_by_files(const std::vector<dragoman::Language>& languages) {
    std::vector<Language> found;
    for (const dragoman::Language& language : languages) {
        const auto code = LanguageCode::read(language.tag);
        if (!code || language.tag == "und") continue;
        const auto same = [&](const Language& other) { return other.tag == language.tag; };
        if (std::ranges::none_of(found, same)) found.push_back({*code, language.tag, language.code, language.name});
    }
    return found;
}

std::vector<Language> told_by_registry(const std::vector<std::string>& codes) {
    std::vector<Language> found;
    for (const std::string& given : codes)
        if (const auto code = LanguageCode::read(given)) found.push_back({*code, code->tag(), "", code->name()});
    return found;
}

// The two languages at the end of a name such as "opus-mt-de-en".
std::vector<std::string> pair_in(const std::string& name) {
    const std::string stem = name.substr(0, name.find('.'));
    const std::size_t last = stem.rfind('-');
    if (last == stem.npos || last == 0) return {};
    const std::size_t before = stem.find_last_of("-_:/ ", last - 1);
    const std::size_t begin = before == stem.npos ? 0 : before + 1;
    std::vector<std::string> pair{stem.substr(begin, last - begin), stem.substr(last + 1)};
    for (const std::string& part : pair)
        if (part.size() < 2 || part.size() > 3 || !LanguageCode::read(part)) return {};
    return pair;
}

}  // namespace

const Language* CatalogModel::source(const LanguageCode& wanted) const { return closest_language(from, wanted); }
const Language* CatalogModel::target(const LanguageCode& wanted) const { return closest_language(to, wanted); }

std::string name_of_path(const std::string& path) {
    std::error_code none;
    std::filesystem::path whole = std::filesystem::absolute(dragoman::path_of(path), none).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    return dragoman::text_of(whole.filename());
}

CatalogModel describe(const std::string& name, const std::string& path, const PublishedModel* given) {
    const auto [info, sources, targets] = dragoman::describe(path);
    if (info.encoder_layers == 0 || info.decoder_layers == 0)
        throw std::runtime_error(path + ": does not translate: it has " + std::to_string(info.encoder_layers) +
                                 " layers of an encoder and " + std::to_string(info.decoder_layers) + " of a decoder");
    if (!info.has_tokenizer) throw std::runtime_error(path + ": has no tokenizer, so it takes no texts");
    CatalogModel model;
    model.name = name;
    model.path = path;
    model.family = info.family;
    model.license = info.license;
    model.bytes = info.file_bytes;
    model.parameters = info.parameters;
    model.from = told_by_files(sources);
    model.to = told_by_files(targets);
    model.tells_languages = !model.from.empty() && !model.to.empty();
    if (given && model.license.empty()) model.license = given->license;
    if (model.tells_languages) return model;
    if (given && model.from.empty()) model.from = told_by_registry(given->from);
    if (given && model.to.empty()) model.to = told_by_registry(given->to);
    const std::vector<std::string> pair = pair_in(name);
    if (!pair.empty() && model.from.empty()) model.from = told_by_registry({pair[0]});
    if (!pair.empty() && model.to.empty()) model.to = told_by_registry({pair[1]});
    if (model.from.empty() || model.to.empty())
        throw std::runtime_error(path + ": its files do not name its languages, and its name \"" + name +
                                 "\" does not end with two codes as \"opus-mt-de-en\" does");
    return model;
}

Catalog::Catalog(std::vector<std::shared_ptr<const CatalogModel>> models) : models_(std::move(models)) {
    std::map<std::string, std::string> names;  // by tags
    std::set<std::string> sources;
    for (const auto& model : models_) {
        for (const Language& language : model->from) names.emplace(language.tag, language.name);
        for (const Language& language : model->to) names.emplace(language.tag, language.name);
        for (const Language& language : model->from) sources.insert(language.tag);
    }
    for (const auto& [tag, name] : names) languages_.push_back({tag, name, {}});
    std::ranges::stable_sort(languages_, [](const ServedLanguage& one, const ServedLanguage& other) {
        const auto rank = [](const ServedLanguage& language) { return language.tag == "en" ? 0 : 1; };
        return std::pair(rank(one), one.name) < std::pair(rank(other), other.name);
    });
    for (std::size_t i = 0; i < languages_.size(); ++i) {
        codes_.push_back(LanguageCode::read(languages_[i].tag).value());
        by_tag_.emplace(in_small_letters(languages_[i].tag), i);
    }
    for (const auto& model : models_)
        for (const auto* side : {&model->from, &model->to})
            for (const Language& language : *side)
                if (const auto at = by_tag_.find(in_small_letters(language.tag)); at != by_tag_.end())
                    for (const std::string& spelling : {language.spelling, language.name})
                        if (!spelling.empty()) by_tag_.emplace(in_small_letters(spelling), at->second);
    for (ServedLanguage& language : languages_) {
        language.targets = reached_from(language.tag);
        language.targets.push_back(language.tag);
        std::ranges::sort(language.targets);
    }
}

std::shared_ptr<const CatalogModel> Catalog::find(const std::string& name) const {
    const auto found = std::ranges::find(models_, name, [](const auto& model) { return model->name; });
    return found == models_.end() ? nullptr : *found;
}

std::string Catalog::language(const std::string& given) const {
    if (const auto at = by_tag_.find(in_small_letters(given)); at != by_tag_.end()) return languages_[at->second].tag;
    const auto code = LanguageCode::read(given);
    const auto at = code ? closest(*code, codes_) : std::nullopt;
    return at ? languages_[*at].tag : std::string();
}

bool Catalog::translates(const std::string& from, const std::string& to) const {
    const auto found = std::ranges::find(languages_, from, &ServedLanguage::tag);
    return found != languages_.end() && std::ranges::binary_search(found->targets, to);
}

// A model is gone through once, so every model's targets are looked at once.
std::vector<std::string> Catalog::reached_from(const std::string& tag) const {
    std::set<std::string> reached;
    std::vector<std::string> last{tag};
    std::vector<bool> used(models_.size());
    for (bool first = true; !last.empty(); first = false) {
        std::vector<std::string> next;
        for (const std::string& from : last) {
            const LanguageCode code = LanguageCode::read(from).value();
            for (std::size_t i = 0; i < models_.size(); ++i) {
                const CatalogModel& model = *models_[i];
                if (used[i] || (!first && !model.tells_languages) || !model.source(code)) continue;
                used[i] = model.tells_languages;
                for (const Language& to : model.to)
                    if (to.tag != tag && to.tag != from && reached.insert(to.tag).second && model.tells_languages)
                        next.push_back(to.tag);
            }
        }
        last = std::move(next);
    }
    return {reached.begin(), reached.end()};
}

std::vector<std::shared_ptr<const CatalogModel>> Catalog::path(const std::string& from, const std::string& to) const {
    const auto begin = LanguageCode::read(from), end = LanguageCode::read(to);
    if (!begin || !end || *begin == *end) return {};
    const auto leads = [&](const CatalogModel& model) {
        const Language* target = model.source(*begin) ? model.target(*end) : nullptr;
        return target && target->tag == to;
    };
    for (const auto& model : models_)
        if (leads(*model)) return {model};
    // In rounds: the languages that one model more leads to, and by which models.
    std::map<std::string, std::vector<std::shared_ptr<const CatalogModel>>> ways{{from, {}}};
    std::vector<std::string> last{from};
    std::vector<bool> used(models_.size());
    while (!last.empty()) {
        std::vector<std::string> next;
        for (const std::string& at : last)
            for (std::size_t i = 0; i < models_.size(); ++i) {
                const auto& model = models_[i];
                if (used[i] || !model->tells_languages) continue;
                if (!model->source(LanguageCode::read(at).value())) continue;
                used[i] = true;
                for (const Language& target : model->to) {
                    if (ways.contains(target.tag)) continue;
                    auto way = ways[at];
                    way.push_back(model);
                    if (target.tag == to) return way;
                    ways[target.tag] = std::move(way);
                    next.push_back(target.tag);
                }
            }
        last = std::move(next);
    }
    return {};
}

}  // namespace serve::work
