// SPDX-License-Identifier: Apache-2.0
// The keys of config.json of encoders alone: heeded, refused by name or known to mean nothing here.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>

#include "families/families.h"
#include "families/key_table.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace dragoman::families::encoder_keys_test {
namespace {

using nlohmann::json;
using test::check_refused;

const std::filesystem::path kData = DRAGOMAN_TEST_DATA;
const std::map<std::string, std::string> kModels = {{"bert", "bert"}, {"xlm-roberta", "xlmr"}};

json read_json(const std::filesystem::path& path) { return json::parse(test::read_file(path)); }

// A copy of a model with another config.json.
class Changed {
public:
    explicit Changed(const std::string& name) {
        std::filesystem::copy(kData / "encoders" / name, folder_.path(),
                              std::filesystem::copy_options::recursive |
                                  std::filesystem::copy_options::overwrite_existing);
        config_ = read_json(folder_.path() / "config.json");
    }
    const json& config() const { return config_; }
    spec::ModelSpec with(const json& changes) const {
        json values = config_;
        values.update(changes);
        folder_.write("config.json", values.dump());
        return load(folder_.path());
    }

private:
    test::TempDir folder_;
    json config_;
};

std::vector<const KeyRule*> rules(const std::string& model, KeyUse use) {
    std::vector<const KeyRule*> list;
    for (const KeyRule* rule : test::key_rules(test::family(model)))
        if (rule->use == use) list.push_back(rule);
    return list;
}

void check_same(const spec::ModelSpec& a, const spec::ModelSpec& b) {
    CHECK(a.config == b.config);
    CHECK(a.embedding == b.embedding);
    CHECK(a.prompts.pattern == b.prompts.pattern);
}

TEST_CASE("the table has every key of the encoders' classes once, and knows those of GenerationConfig") {
    const json versions = read_json(kData / "huggingface/keys.json");
    REQUIRE(versions.size() >= 2);
    for (const auto& [version, keys] : versions.items()) {
        CAPTURE(version);
        REQUIRE(keys.at("encoders").size() == kModels.size());
        for (const auto& [model, defaults] : keys.at("encoders").items()) {
            REQUIRE(defaults.size() > 40);
            const Family& family = test::family(model);
            for (const auto& [name, value] : defaults.items()) {
                const KeyRule* rule = family.find_key(name);
                REQUIRE_MESSAGE(rule, name);
                if (rule->use == KeyUse::refused) CHECK_MESSAGE(rule->is_neutral(value, defaults), name);
            }
            for (const auto& [name, value] : keys.at("generation").items()) {
                const KeyRule* rule = family.find_key(name);
                REQUIRE_MESSAGE(rule, name);
                CHECK(rule->generation);
                CHECK((rule->use == KeyUse::ignored || name == "pad_token_id"));
            }
            test::check_rules(family);
            CHECK_FALSE(family.find_key("no_such_key"));
        }
    }
}

TEST_CASE("refused keys of encoders are refused by name, unless their value has no effect") {
    const json odd = {0.375, 7, true, false, "x", {3}, {{"a", 1}}};
    for (const auto& [name, folder] : kModels) {
        const Changed model(folder);
        const spec::ModelSpec plain = model.with(json::object());
        for (const KeyRule* rule : rules(name, KeyUse::refused)) {
            CAPTURE(rule->key);
            const std::string key(rule->key);
            int values = 0;
            for (const json& value : odd) {
                if (rule->is_neutral(value, model.config())) continue;
                ++values;
                check_refused(Status::unsupported, {"config.json", key.c_str(), "expected "},
                              [&] { model.with({{key, value}}); });
            }
            CHECK(values >= 5);
            for (const json& value : rule->neutral_values(model.config()))
                check_same(model.with({{key, value}}), plain);
        }
    }
}

TEST_CASE("heeded keys of encoders are read, ignored ones change nothing") {
    const json nonsense = {{"no", "sense"}};
    for (const auto& [name, folder] : kModels) {
        const Changed model(folder);
        const auto heeded = rules(name, KeyUse::heeded);
        REQUIRE(heeded.size() > 10);
        for (const KeyRule* rule : heeded) {
            const std::string key(rule->key);
            check_refused(Status::bad_model, {"config.json", key.c_str(), "expected "},
                          [&] { model.with({{key, nonsense}}); });
        }
        json all = json::object();
        for (const KeyRule* rule : rules(name, KeyUse::ignored)) all[std::string(rule->key)] = nonsense;
        all["num_beams"] = nonsense;
        check_same(model.with(all), model.with(json::object()));
    }
}

TEST_CASE("docs/embed.md has the table of encoders' keys") {
    test::check_key_table("embed.md", false, [](const std::vector<std::string>& models) {
        return models.size() == kModels.size() ? std::string("both") : fmt::format("{}", fmt::join(models, ", "));
    });
}

}  // namespace
}  // namespace dragoman::families::encoder_keys_test
