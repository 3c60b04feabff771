// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "registry/choice.h"
#include "registry/list_cache.h"
#include "registry/merit.h"
#include "store/places.h"
#include "store/user.h"

namespace choice_test {
using namespace dragoman;
using namespace dragoman::registry;

using Names = std::vector<std::string>;

Entry model(const std::string& name, const Names& from, const Names& to, const std::string& license, double quality = 0,
            const std::string& metric = "", bool hashed = true, uint64_t bytes = 100) {
    Entry entry;
    entry.registry = name.substr(0, name.find(':'));
    entry.model = name.substr(name.find(':') + 1);
    entry.from = from, entry.to = to, entry.license = license, entry.quality = quality, entry.metric = metric;
    RemoteFile file;
    file.bytes = bytes;
    if (hashed) file.sha256 = std::string(64, 'a');
    entry.files = {file};
    return entry;
}

TEST_CASE("Licences that allow commercial use") {
    for (const char* license : {"MIT", "Apache-2.0", "CC-BY-4.0", "cc-by-sa-4.0", "MPL-2.0", "BSD-3-Clause"})
        CHECK_MESSAGE(allows_commercial_use(license), license);
    for (const char* license :
         {"", "cc-by-nc-4.0", "CC-BY-NC-SA-4.0", "unknown", "other", "non-commercial", "research only"})
        CHECK_MESSAGE(!allows_commercial_use(license), license);
}

TEST_CASE("The order of models of a pair, each rule before the next") {
    const std::vector<Entry> ordered = {
        model("aa:comet-high", {"de"}, {"en"}, "MIT", 0.9, "comet22"),
        model("aa:comet-low", {"de"}, {"en"}, "MIT", 0.8, "comet22"),
        model("aa:chrf", {"de"}, {"en"}, "MIT", 70, "chrf"),
        model("aa:bleu", {"de"}, {"en"}, "MIT", 50, "bleu"),
        model("zz:small", {"de"}, {"en"}, "MIT", 0, "", true, 10),
        model("aa:large", {"de"}, {"en"}, "MIT", 0, "", true, 20),
        model("bb:large", {"de"}, {"en"}, "MIT", 0, "", true, 20),
        model("aa:no-size", {"de"}, {"en"}, "MIT", 0, "", true, 0),
        model("aa:no-hash", {"de"}, {"en"}, "MIT", 0.99, "comet22", false, 1),
        model("aa:restricted", {"de"}, {"en"}, "cc-by-nc-4.0", 0.99, "comet22", true, 1),
        model("aa:many", {"de", "nl"}, {"en"}, "MIT", 0.99, "comet22", true, 1),
        model("aa:poor", {"de"}, {"en"}, "MIT", 34.9, "chrf", true, 1),
        model("aa:does-not-fit", {"fr"}, {"en"}, "MIT", 0.99, "comet22", true, 1),
    };
    for (std::size_t i = 0; i < ordered.size(); ++i)
        for (std::size_t j = 0; j < ordered.size(); ++j) {
            INFO(ordered[i].model << " " << ordered[j].model);
            CHECK(better(ordered[i], ordered[j], "de", "en") == (i < j));
        }
    const Entry brazil = model("aa:b", {"pt-BR"}, {"en"}, "MIT", 0, "", true, 900),
                plain = model("aa:p", {"pt"}, {"en"}, "MIT");
    CHECK(better(brazil, plain, "pt-BR", "en"));
    CHECK(better(plain, brazil, "pt", "en"));
    CHECK(better(plain, brazil, "", "en"));
    const Entry simplified = model("aa:s", {"zh-Hans"}, {"en"}, "MIT", 0, "", true, 10),
                chinese = model("aa:c", {"zh"}, {"en"}, "MIT");
    CHECK(better(simplified, chinese, "zh", "en"));  // the same language, and smaller
    CHECK_FALSE(better(model("aa:t", {"zh-Hant"}, {"en"}, "MIT", 0, "", true, 10), chinese, "zh", "en"));
}

// A catalog whose only list is this one, as if it had been fetched long ago.
struct Lists : test::User {
    explicit Lists(const std::string& rows) {
        write(".config/dragoman/registries/ours.json", R"({"id": "ours", "title": "Ours", "shape": "table",
            "list": "https://ours.example/list.txt",
            "entry": {"model": "{1}-{2}", "from": "{1}", "to": "{2}", "license": "{4}",
                      "quality": [{"metric": "chrf", "value": "{5}"}]},
            "files": [{"url": "https://ours.example/{1}-{2}.zip", "bytes": "{3}"}]})");
        write_cached_list(store::lists_folder(), "ours", "https://ours.example/list.txt", rows);
    }
};

Route route(const std::string& from, const std::string& to) {
    CatalogOptions options;
    options.offline = true;
    options.only = {"ours"};
    Catalog catalog(options);
    return find_route(catalog, from, to);
}

TEST_CASE("A model that is too large for a device comes last") {
    Entry small = model("aa:small", {"de"}, {"en"}, "MIT", 40, "chrf", true, 100),
          large = model("aa:large", {"de"}, {"en"}, "MIT", 60, "chrf", true, 1000),
          packed = model("aa:packed", {"de"}, {"en"}, "MIT", 50, "chrf", true, 90),
          poor = model("aa:poor", {"de"}, {"en"}, "MIT", 30, "chrf", true, 10);
    packed.files[0].unpacked_bytes = 2000;
    const spec::LanguageTag german = wanted_language("de"), english = wanted_language("en");
    const auto merit = [&](const Entry& entry, uint64_t memory) {
        return *candidate_of(entry, 0, memory).between(german, english);
    };
    CHECK(merit(large, 0) < merit(packed, 0));
    CHECK(merit(packed, 0) < merit(small, 0));
    CHECK(merit(large, 1500) < merit(small, 1500));
    CHECK(merit(small, 1500) < merit(packed, 1500));
    CHECK(merit(small, 500) < merit(large, 500));
    CHECK(merit(large, 500) < merit(poor, 500));  // slow is better than of no use

    const Lists lists("de\ten\t900\tMIT\t60\nde\tfr\t10\tMIT\t60\nfr\ten\t10\tMIT\t60\n");
    const auto names_with = [](uint64_t memory) {
        CatalogOptions options;
        options.offline = true;
        options.only = {"ours"};
        options.memory_bytes = memory;
        Catalog catalog(options);
        Names names;
        for (const Entry& entry : find_route(catalog, "de", "en").models) names.push_back(entry.model);
        return names;
    };
    CHECK(names_with(0) == Names{"de-en"});
    CHECK(names_with(800) == Names{"de-fr", "fr-en"});
    CHECK(names_with(5) == Names{"de-en"});
}

Names names(const Route& route) {
    Names names;
    for (const Entry& entry : route.models) names.push_back(entry.model);
    return names;
}

TEST_CASE("A route is one model, otherwise two over English, otherwise two over another language") {
    const Lists lists(
        "de\ten\t50\tMIT\nen\tfr\t60\tMIT\nde\tfr\t900\tMIT\nde\tes\t1\tMIT\nes\tit\t1\tMIT\nen\tit\t70\tMIT\n"
        "sk\tcs\t10\tMIT\ncs\tpl\t10\tMIT\nsk\thu\t5\tMIT\nhu\tpl\t4\tMIT\nsk\tuk\t1\tMIT\nuk\tpl\t1\tCC-BY-NC\n"
        "en\tzh\t\tMIT\nen+da\tsv+nb\t7\tMIT\n");
    const Route direct = route("de", "fr");
    CHECK(names(direct) == Names{"de-fr"});
    CHECK(direct.pivot.empty());
    CHECK(direct.bytes == 900);
    const Route english = route("de", "it");
    CHECK(names(english) == Names{"de-en", "en-it"});
    CHECK(english.pivot == "en");
    CHECK(english.bytes == 120);
    const Route smaller = route("sk", "pl");
    CHECK(names(smaller) == Names{"sk-hu", "hu-pl"});
    CHECK(smaller.pivot == "hu");
    CHECK(route("de", "zh").bytes == 0);  // a size is not known
    CHECK(names(route("de", "zh")) == Names{"de-en", "en-zh"});
    CHECK(names(route("de-AT", "nb")) == Names{"de-en", "en+da-sv+nb"});
    CHECK(names(route("it", "de")).empty());
    CHECK(names(route("de", "ja")).empty());
    CHECK(names(route("", "fr")).empty());
}

TEST_CASE("A model that is measured as poor is no way where there is another one") {
    const Lists lists("be\tde\t1\tMIT\t10.2\nbe\ten\t5\tMIT\t60\nen\tde\t5\tMIT\t\nfr\tbe\t5\tMIT\t3\n");
    CHECK(names(route("be", "de")) == Names{"be-en", "en-de"});
    CHECK(names(route("fr", "be")) == Names{"fr-be"});
    CHECK(names(route("fr", "en")) == Names{"fr-be", "be-en"});
}

TEST_CASE("Routes over models that are here") {
    const auto here = [](const std::string& name, const Names& from, const Names& to,
                         const std::string& license = "MIT") {
        store::Installed model;
        model.name = name, model.from = from, model.to = to, model.license = license, model.bytes = 10;
        return model;
    };
    const std::vector<store::Installed> models = {here("aa:de-en", {"de"}, {"en"}),
                                                  here("aa:en-fr", {"en"}, {"fr"}),
                                                  here("hf:many", {"de", "en", "fr", "it"}, {"de", "en", "fr", "it"},
                                                       "MIT"),
                                                  here("aa:unknown", {}, {}),
                                                  here("aa:nc", {"de"}, {"en"}, "cc-by-nc-4.0"),
                                                  here("aa:fr-sv", {"fr"}, {"sv"})};
    const auto found = [&](const char* from, const char* to) {
        return test::names_of(find_installed_route(models, from, to));
    };
    CHECK(found("de", "en") == Names{"aa:de-en"});
    CHECK(found("de", "fr") == Names{"hf:many"});
    CHECK(found("en", "sv") == Names{"aa:en-fr", "aa:fr-sv"});
    CHECK(found("sv", "de").empty());
    CHECK(find_installed_route({}, "de", "en").empty());
}

}  // namespace choice_test
