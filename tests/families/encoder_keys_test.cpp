// SPDX-License-Identifier: Apache-2.0
// The keys of config.json of encoders alone: heeded, refused by name or known to mean nothing here.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>

#include "families/families.h"
#include "families/huggingface/keys.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace dragoman::families {
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
                              std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
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
    for (const KeyRule& rule : huggingface_encoder_keys())
        if (rule.use == use && rule.applies_to(model)) list.push_back(&rule);
    return list;
}

void check_same(const spec::ModelSpec& a, const spec::ModelSpec& b) {
    CHECK(a.config == b.config);
    CHECK(a.embedding == b.embedding);
    CHECK(a.prompts.pattern == b.prompts.pattern);
}

TEST_CASE("the table has every key of the encoders' classes once, and knows those of GenerationConfig") {
    const json keys = read_json(kData / "huggingface/keys.json");
    REQUIRE(keys.at("encoders").size() == kModels.size());
    for (const auto& [model, names] : keys.at("encoders").items()) {
        REQUIRE(names.size() > 40);
        for (const std::string name : names) CHECK_MESSAGE(find_huggingface_key(model, name), name);
        for (const std::string name : keys.at("generation")) {
            const KeyRule* rule = find_huggingface_key(model, name);
            REQUIRE_MESSAGE(rule, name);
            CHECK(rule->generation);
            CHECK((rule->use == KeyUse::ignored || name == "pad_token_id"));
        }
        std::set<std::string_view> seen;
        for (const KeyRule& rule : huggingface_encoder_keys())
            if (rule.applies_to(model)) CHECK_MESSAGE(seen.insert(rule.key).second, rule.key);
        CHECK_FALSE(find_huggingface_key(model, "no_such_key"));
    }
    for (const KeyRule& rule : huggingface_encoder_keys()) {
        CHECK((rule.use == KeyUse::refused) == !rule.neutral.empty());
        CHECK((rule.use != KeyUse::ignored || !rule.why.empty()));
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
            for (const json& value : rule->neutral_values(model.config())) check_same(model.with({{key, value}}), plain);
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

std::string row(const KeyRule& rule) {
    std::string models;
    for (const char* model : {"bert", "xlm-roberta"})
        if (rule.applies_to(model)) models += (models.empty() ? "" : ", ") + std::string(model);
    std::string what = rule.use == KeyUse::heeded ? "heeded" : "ignored";
    if (rule.use == KeyUse::refused) {
        what = "refused unless null";
        if (!rule.neutral.starts_with('[')) what += " or equal to `" + std::string(rule.neutral) + "`";
        else for (const json& value : json::parse(rule.neutral)) what += " or `" + value.dump() + "`";
    }
    return "| `" + std::string(rule.key) + "` | " + (models == "bert, xlm-roberta" ? "both" : models) + " | " + what +
           " | " + std::string(rule.why) + " |";
}

TEST_CASE("docs/embed.md has the table of encoders' keys") {
    std::string expected;
    for (const KeyRule& rule : huggingface_encoder_keys()) expected += row(rule) + "\n";
    const std::string page = test::read_file(kData / "../../docs/embed.md");
    const std::string begin = "| key | models | what is done | |\n|---|---|---|---|\n";
    REQUIRE(page.find(begin) != std::string::npos);
    INFO("expected rows:\n" << expected);
    CHECK(page.substr(page.find(begin) + begin.size()) == expected);
}

}  // namespace
}  // namespace dragoman::families
