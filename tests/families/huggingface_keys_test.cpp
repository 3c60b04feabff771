// SPDX-License-Identifier: Apache-2.0
// Every key of transformers' configuration classes is heeded, refused by name or known to mean nothing here.
#include "families/huggingface/family.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/log.h"
#include "families/families.h"
#include "families/key_table.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace dragoman::families::huggingface_keys_test {
namespace {

using nlohmann::json;
using test::check_refused;
namespace fs = std::filesystem;

const fs::path kData = DRAGOMAN_TEST_DATA;
const std::string kConfig = "config.json", kGeneration = "generation_config.json";

// A model of each family. Marian's has two vocabularies: otherwise the size of the second says nothing.
const std::map<std::string, fs::path> kModels = {{"marian", kData / "huggingface/separate"},
                                                 {"m2m_100", kData / "huggingface/m2m100"},
                                                 {"mbart", kData / "huggingface/mbart50"},
                                                 {"bart", kData / "huggingface/bart"},
                                                 {"t5", kData / "t5/t5"},
                                                 {"mt5", kData / "t5/mt5"},
                                                 {"umt5", kData / "t5/umt5"},
                                                 {"gpt2", kData / "huggingface/gpt2"},
                                                 {"xglm", kData / "huggingface/xglm"},
                                                 {"opt", kData / "huggingface/opt"}};

json read_json(const fs::path& path) { return json::parse(test::read_file(path)); }

// A copy of a model with other values in its two files.
class Changed {
public:
    explicit Changed(const fs::path& model) {
        for (const auto& entry : fs::directory_iterator(model))
            fs::copy_file(entry.path(), folder_.path() / entry.path().filename());
        for (const std::string& name : {kConfig, kGeneration}) files_[name] = read_json(folder_.path() / name);
    }
    const json& file(const std::string& name) const { return files_.at(name); }
    spec::ModelSpec with(const std::string& name, const json& changes) const {
        json values = files_.at(name);
        values.update(changes);
        folder_.write(name, values.dump());
        const Restore restore{*this, name};
        return families::load(folder_.path());
    }
    // All settings in config.json, as files of old versions have them.
    spec::ModelSpec alone_with(const json& changes) const {
        fs::remove(folder_.path() / kGeneration);
        const Restore restore{*this, kGeneration};
        json values = files_.at(kGeneration);
        values.update(changes);
        return with(kConfig, values);
    }

private:
    struct Restore {
        const Changed& model;
        const std::string& name;
        ~Restore() { model.folder_.write(name, model.files_.at(name).dump()); }
    };
    test::TempDir folder_;
    std::map<std::string, json> files_;
};

// Compares everything that keys can change.
void check_same(const spec::ModelSpec& a, const spec::ModelSpec& b) {
    CHECK(a.config == b.config);
    CHECK(a.search == b.search);
    CHECK(a.eos_token == b.eos_token);
    CHECK(a.decoder_start_token == b.decoder_start_token);
    CHECK(a.never_generated == b.never_generated);
    CHECK(a.prompts.pattern == b.prompts.pattern);
}

std::vector<const KeyRule*> rules(const std::string& model, KeyUse use) {
    std::vector<const KeyRule*> list;
    for (const KeyRule* rule : test::key_rules(test::family(model)))
        if (rule->use == use) list.push_back(rule);
    return list;
}

std::vector<std::string> files_of(const KeyRule& rule) {
    return rule.generation ? std::vector{kGeneration, kConfig} : std::vector{kConfig};
}

spec::ModelSpec load(const Changed& model, const KeyRule& rule, const std::string& file, const json& value) {
    const json change = {{std::string(rule.key), value}};
    return rule.generation && file == kConfig ? model.alone_with(change) : model.with(file, change);
}

// A key that is refused is let through with the value that it has where no file names it.
void check_default(const KeyRule* rule, const std::string& name, const json& value, const json& defaults) {
    REQUIRE_MESSAGE(rule, name);
    // a class for decoders says for each of its models what transformers' base class says for none
    if (rule->use == KeyUse::refused && name != "is_encoder_decoder")
        CHECK_MESSAGE(rule->is_neutral(value, defaults), name);
}

TEST_CASE("the table has every key of transformers' classes, once for each family") {
    const json versions = read_json(kData / "huggingface/keys.json");
    REQUIRE(versions.size() >= 2);
    std::set<std::string> models;
    for (const auto& [version, keys] : versions.items()) {
        CAPTURE(version);
        REQUIRE(keys.at("generation").size() > 40);
        for (const auto& [model, defaults] : keys.at("config").items()) {
            CAPTURE(model);
            models.insert(model);
            REQUIRE(defaults.size() > 40);
            const Family& family = test::family(model);
            for (const auto& [name, value] : defaults.items())
                check_default(family.find_key(name), name, value, defaults);
            for (const auto& [name, value] : keys.at("generation").items()) {
                const KeyRule* rule = family.find_key(name);
                check_default(rule, name, value, defaults);
                CHECK_MESSAGE(rule->generation, name);
            }
            test::check_rules(family);
        }
    }
    CHECK(models.size() == kModels.size());
    CHECK_FALSE(test::family("marian").find_key("no_such_key"));
    CHECK_FALSE(test::family("marian").find_key("d_kv"));
}

TEST_CASE("refused keys are refused by name, unless their value has no effect") {
    const json odd = {0.375, 7, true, false, "x", {3}, {{"a", 1}}};
    for (const auto& [name, path] : kModels) {
        CAPTURE(name);
        const Changed model(path);
        const spec::ModelSpec plain = families::load(path);
        const auto refused = rules(name, KeyUse::refused);
        REQUIRE(refused.size() > 20);
        for (const KeyRule* rule : refused) {
            CAPTURE(rule->key);
            for (const std::string& file : files_of(*rule)) {
                int values = 0;
                for (const json& value : odd) {
                    if (rule->is_neutral(value, model.file(kConfig))) continue;
                    ++values;
                    const std::string has = "file has " + formats::short_text(value), key(rule->key);
                    check_refused(Status::unsupported, {file.c_str(), key.c_str(), "expected ", has.c_str()},
                                  [&] { load(model, *rule, file, value); });
                }
                CHECK(values >= 5);
            }
        }
        // All of them without effect, with each of the values that have none.
        for (std::size_t i = 0; i < 3; ++i) {
            json config = json::object(), generation = json::object();
            for (const KeyRule* rule : refused) {
                json values = rule->neutral_values(model.file(kConfig));
                values.push_back(nullptr);
                (rule->generation ? generation : config)[std::string(rule->key)] = values.at(i % values.size());
            }
            check_same(model.with(kConfig, config), plain);
            check_same(model.with(kGeneration, generation), plain);
            json both = config;
            both.update(generation);
            check_same(model.alone_with(both), plain);
        }
    }
}

TEST_CASE("heeded keys are read: a value of no sense is refused") {
    const json nonsense = {{"no", "sense"}};
    for (const auto& [name, path] : kModels) {
        CAPTURE(name);
        const Changed model(path);
        const auto heeded = rules(name, KeyUse::heeded);
        REQUIRE(heeded.size() > 30);
        for (const KeyRule* rule : heeded) {
            CAPTURE(rule->key);
            const std::string key(rule->key);
            for (const std::string& file : files_of(*rule))
                check_refused(Status::bad_model, {file.c_str(), key.c_str(), "expected "},
                              [&] { load(model, *rule, file, nonsense); });
        }
    }
}

TEST_CASE("ignored keys change nothing") {
    const json nonsense = {{"no", "sense"}};
    for (const auto& [name, path] : kModels) {
        CAPTURE(name);
        const Changed model(path);
        json config = json::object(), generation = json::object();
        for (const KeyRule* rule : rules(name, KeyUse::ignored))
            (rule->generation ? generation : config)[std::string(rule->key)] = nonsense;
        const spec::ModelSpec plain = families::load(path);
        check_same(model.with(kConfig, config), plain);
        check_same(model.with(kGeneration, generation), plain);
        config.update(generation);
        check_same(model.alone_with(config), plain);
    }
}

TEST_CASE("keys without effect that a reader may rely on are in the log") {
    const Changed model(kModels.at("m2m_100"));
    std::vector<std::string> lines;
    const auto log_of = [&](auto&& load) {
        lines.clear();
        const uint64_t sink = add_log_sink([&](LogLevel, std::string_view line) { lines.emplace_back(line); },
                                           LogLevel::warning);
        load();
        remove_log_sink(sink);
        return lines;
    };
    using Lines = std::vector<std::string>;
    const std::string overruled = ": not heeded beside generation_config.json, as in transformers";
    CHECK(log_of([&] { model.with(kConfig, json::object()); }).empty());
    const Lines unknown = log_of([&] { model.with(kConfig, {{"d_kv", 4}, {"new\nkey", 1}}); });
    REQUIRE(unknown.size() == 1);
    CHECK(unknown[0].ends_with("config.json: \"d_kv\", \"new\\nkey\": not known here, and without effect"));
    const Lines late = log_of([&] { model.with(kGeneration, {{"d_model", 4}, {"new_rule", 1}}); });
    REQUIRE(late.size() == 1);
    CHECK(late[0].ends_with("generation_config.json: \"d_model\", \"new_rule\": not known here, and without effect"));
    const Lines old = log_of([&] {
        model.with(kConfig, {{"num_beams", 3},
                             {"max_length", 40},
                             {"typical_p", 0.5},
                             {"top_h", nullptr},
                             {"diversity_penalty", 0.0},
                             {"use_cache", false}});
    });
    REQUIRE(old.size() == 1);
    CHECK(old[0].ends_with("config.json: num_beams, typical_p" + overruled));
    json many = json::object();
    for (int i = 0; i < 100; ++i) many["key" + std::to_string(i)] = i;
    const Lines cut = log_of([&] { model.with(kConfig, many); });
    REQUIRE(cut.size() == 1);
    CHECK(cut[0].find(", ...: not known") != std::string::npos);
    CHECK(std::ranges::count(cut[0], ',') == 21);
}

TEST_CASE("docs/huggingface.md has the table") {
    test::check_key_table("huggingface.md", true, [](const std::vector<std::string>& models) {
        if (models.size() == kModels.size()) return std::string("all");
        const auto translates = [](const auto& model) { return model != "gpt2" && model != "xglm" && model != "opt"; };
        const bool translators = models.size() + 3 == kModels.size() && std::ranges::all_of(models, translates);
        return translators ? std::string("all that translate") : fmt::format("{}", fmt::join(models, ", "));
    });
}

}  // namespace
}  // namespace dragoman::families::huggingface_keys_test
