// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "registry/registry.h"
#include "registry/shapes/shapes.h"
#include "store/user.h"
#include "support/refused.h"

// Lists in the registries' shapes, read by the data files that come with the library.
namespace shapes_test {
using namespace dragoman;
using namespace dragoman::registry;

using Names = std::vector<std::string>;

ListContent read(const std::string& id, const std::string& body) {
    test::User user;
    static const std::vector<Registry> all = registries();
    return read_list(find_registry(all, id), body);
}

Names models(const std::vector<Entry>& entries) {
    Names names;
    for (const Entry& entry : entries) names.push_back(entry.model);
    std::ranges::sort(names);
    return names;
}

const Entry& entry(const std::vector<Entry>& entries, const std::string& model) {
    const auto found = std::ranges::find(entries, model, &Entry::model);
    REQUIRE_MESSAGE(found != entries.end(), model);
    return *found;
}

std::string hash(char digit) { return std::string(64, digit); }

nlohmann::json record(const std::string& pair, const std::string& type, const std::string& version,
                      const std::string& filter = "") {
    const std::string from = pair.substr(0, pair.find('>')), to = pair.substr(pair.find('>') + 1);
    const std::string name = type + "." + from + to + ".bin";
    return {{"name", name},
            {"fileType", type},
            {"version", version},
            {"architecture", "base-memory"},
            {"sourceLanguage", from},
            {"targetLanguage", to},
            {"filter_expression", filter},
            {"last_modified", 1000},
            {"decompressedHash", hash('a')},
            {"decompressedSize", 200},
            {"schema", 1},
            {"id", name + version},
            {"attachment",
             {{"hash", hash('b')},
              {"size", 100},
              {"filename", name + ".zst"},
              {"location", "main-workspace/translations-models-v2/" + name + version + ".zst"}}}};
}

TEST_CASE("argos: one package per item") {
    const auto list = read("argos", R"json([
        {"code": "translate-pb_en", "from_code": "pb", "from_name": "Portuguese (Brazil)", "to_code": "en",
         "to_name": "English", "package_version": "1.9", "argos_version": "1.9.6",
         "links": ["https://argos.example/v1/translate-pb_en-1_9.argosmodel", "ipfs://Qm"]},
        {"code": "translate-zt_en", "from_code": "zt", "from_name": "Chinese (traditional)", "to_code": "en",
         "to_name": "English", "package_version": "1.10", "links": ["https://argos.example/v1/b.argosmodel"]},
        {"code": "translate-zt_en", "from_code": "zt", "from_name": "Chinese (traditional)", "to_code": "en",
         "to_name": "English", "package_version": "1.9", "links": ["https://argos.example/v1/a.argosmodel"]},
        {"code": "sbd-de", "type": "sbd", "from_code": "de", "links": ["https://argos.example/v1/sbd.argosmodel"]},
        {"code": "translate-de_en", "from_code": "de", "to_code": "en", "links": ["ipfs://Qm"]},
        "text"])json");
    CHECK(models(list.entries) == Names{"pb_en", "zt_en"});
    CHECK(list.items == 6);
    CHECK(list.broken == 2);
    CHECK(list.first_broken.find("item 5: url: expected an http") == 0);
    const Entry& first = entry(list.entries, "pb_en");
    CHECK(first.name() == "argos:pb_en");
    CHECK(first.from == Names{"pt-BR"});
    CHECK(first.to == Names{"en"});
    CHECK(first.title == "Portuguese (Brazil) to English");
    CHECK(first.license.empty());
    CHECK(first.publisher == "Argos Open Technologies");
    REQUIRE(first.files.size() == 1);
    CHECK(first.files[0].url == "https://argos.example/v1/translate-pb_en-1_9.argosmodel");
    CHECK(first.files[0].name == "translate-pb_en-1_9.argosmodel");
    CHECK(first.files[0].packing == Packing::archive);
    CHECK(first.bytes() == 0);
    CHECK(entry(list.entries, "zt_en").version == "1.10");
    CHECK(entry(list.entries, "zt_en").from == Names{"zh-Hant"});
    CHECK(models(list.pinned) == Names{"pb_en@1.9", "zt_en@1.10", "zt_en@1.9"});
    CHECK(entry(list.pinned, "zt_en@1.9").files[0].name == "a.argosmodel");
}

TEST_CASE("firefox: the records of one version are a model") {
    nlohmann::json data = {record("de>en", "model", "3.0"), record("de>en", "vocab", "3.0"),
                           record("de>en", "lex", "3.0"),
                           // newer, and whole without a lexicon
                           record("de>en", "model", "3.1"), record("de>en", "vocab", "3.1"),
                           // newest, but not whole
                           record("de>en", "model", "3.2"),
                           // before a release, and of other majors
                           record("de>en", "model", "3.3a1"), record("de>en", "vocab", "3.3a1"),
                           record("de>en", "model", "2.0"), record("de>en", "vocab", "2.0"),
                           // two vocabularies, and what is no part of a model
                           record("en>ja", "model", "3.0"), record("en>ja", "srcvocab", "3.0"),
                           record("en>ja", "trgvocab", "3.0"), record("en>ja", "qualityModel", "3.0"),
                           // not for this program
                           record("en>fr", "model", "3.0", "env.appinfo.OS == 'Android'"),
                           record("en>fr", "vocab", "3.0", "env.appinfo.OS == 'Android'"),
                           record("en>it", "model", "3.0", "env.channel == 'default' || env.channel == 'nightly'"),
                           record("en>es", "model", "3.0", "env.appinfo.OS != 'Android'"),
                           record("en>es", "vocab", "3.0", "env.appinfo.OS != 'Android'"),
                           record("en>zh-Hant", "model", "3.0"), record("en>zh-Hant", "vocab", "3.0"),
                           record("en>pl", "model", "3.0", "env.locale == 'pl'")};
    const auto list = read("firefox", nlohmann::json{{"data", data}}.dump());
    CHECK(models(list.entries) == Names{"de-en", "en-es", "en-ja", "en-zh-Hant"});
    CHECK(list.items == data.size());
    CHECK(list.broken == 2);  // the filter for Polish, and version 3.2
    CHECK(list.first_broken.find("a filter that is not understood: env.locale == 'pl'") != std::string::npos);
    const Entry& german = entry(list.entries, "de-en");
    CHECK(german.version == "3.1");
    CHECK(german.files.size() == 2);
    CHECK(german.license == "MPL-2.0");
    CHECK(german.architecture == "base-memory");
    CHECK(german.bytes() == 200);
    const RemoteFile& model = german.files[0];
    CHECK(model.url.ends_with("/main-workspace/translations-models-v2/model.deen.bin3.1.zst"));
    CHECK(model.name == "model.deen.bin");
    CHECK(model.packing == Packing::file);
    CHECK(model.bytes == 100);
    CHECK(model.sha256 == hash('b'));
    CHECK(model.unpacked_bytes == 200);
    CHECK(model.unpacked_sha256 == hash('a'));
    CHECK(entry(list.pinned, "de-en@3.0-base-memory").files.size() == 3);
    CHECK(entry(list.entries, "en-ja").files.size() == 3);
    CHECK(entry(list.entries, "en-zh-Hant").to == Names{"zh-Hant"});
}

TEST_CASE("firefox: of two records for one file the later counts, and files of different versions are never mixed") {
    nlohmann::json old = record("de>en", "model", "3.0"), later = old;
    old["attachment"]["hash"] = hash('1'), later["attachment"]["hash"] = hash('2');
    later["last_modified"] = 2000;
    for (const auto& two : {nlohmann::json{old, later}, nlohmann::json{later, old}}) {
        nlohmann::json data = two;
        data.push_back(record("de>en", "vocab", "3.0"));
        const auto list = read("firefox", nlohmann::json{{"data", data}}.dump());
        CHECK(entry(list.entries, "de-en").files[0].sha256 == hash('2'));
    }
    const nlohmann::json mixed = {record("de>en", "model", "3.1"), record("de>en", "vocab", "3.0")};
    const auto list = read("firefox", nlohmann::json{{"data", mixed}}.dump());
    CHECK(list.entries.empty());
    CHECK(list.broken == 2);
    CHECK(list.first_broken.find("expected model and vocab, there are only vocab") != std::string::npos);
}

TEST_CASE("firefox-all: one item per pair and architecture, with measured quality") {
    const auto item = [](const std::string& architecture, const nlohmann::json& status, double comet) {
        const std::string at = "models/de-en/spring_" + architecture + "/exported/";
        return nlohmann::json{{"architecture", architecture},
                              {"releaseStatus", status},
                              {"sourceLanguage", "de"},
                              {"targetLanguage", "en"},
                              {"files",
                               {{"model",
                                 {{"path", at + "model.deen.intgemm.alphas.bin.gz"},
                                  {"uncompressedSize", 17},
                                  {"uncompressedHash", hash('c')}}},
                                {"vocab", {{"path", at + "vocab.deen.spm.gz"}}},
                                {"lexicalShortlist", {{"path", at + "lex.50.50.deen.s2t.bin.gz"}}}}},
                              {"metrics", {{"flores200-plus", {{"bleu", 40.1}, {"chrf", 65.2}, {"comet22", comet}}}}}};
    };
    nlohmann::json two_vocabularies = item("base", "Nightly", 0.9);
    two_vocabularies["sourceLanguage"] = "en", two_vocabularies["targetLanguage"] = "ja";
    two_vocabularies["files"].erase("vocab");
    two_vocabularies["files"]["srcVocab"]["path"] = "models/en-ja/x/srcvocab.enja.spm.gz";
    two_vocabularies["files"]["trgVocab"]["path"] = "models/en-ja/x/trgvocab.enja.spm.gz";
    nlohmann::json broken = item("tiny", "Release", 0.5);
    broken["files"].erase("vocab");
    const nlohmann::json list = {
        {"generated", "2026-01-01"},
        {"baseUrl", "https://store.example/registry"},
        {"models",
         {{"de-en", {item("base", nullptr, 0.93), item("tiny", "Release", 0.85), item("base-memory", "Release", 0.88)}},
          {"en-ja", {two_vocabularies}},
          {"en-xx", {broken}}}}};
    const auto content = read("firefox-all", list.dump());
    CHECK(models(content.entries) == Names{"de-en", "en-ja"});
    CHECK(content.broken == 1);
    const Entry& german = entry(content.entries, "de-en");
    CHECK(german.architecture == "base-memory");
    CHECK(german.version == "spring_base-memory");
    CHECK(german.metric == "comet22");
    CHECK(german.quality == doctest::Approx(0.88));
    REQUIRE(german.files.size() == 3);
    CHECK(german.files[0].url ==
          "https://store.example/registry/models/de-en/spring_base-memory/exported/model.deen.intgemm.alphas.bin.gz");
    CHECK(german.files[0].name == "model.deen.intgemm.alphas.bin");
    CHECK(german.files[0].unpacked_sha256 == hash('c'));
    CHECK(german.files[1].name == "vocab.deen.spm");
    CHECK(german.files[1].unpacked_sha256.empty());
    CHECK(entry(content.pinned, "de-en@base").quality == doctest::Approx(0.93));
    CHECK(entry(content.entries, "en-ja").files.size() == 4);
}

TEST_CASE(
    "translatelocally and hplt: several languages on one side, hashes of archives, a code that is wrong in the list") {
    const std::string body = R"({"models": [
        {"shortName": "bat-en-tiny", "modelName": "Baltic-English tiny", "type": "tiny", "srcTags": {"lv": "Latvian",
         "lt": "Lithuanian"}, "trgTag": "en", "version": 1, "API": 1, "checksum": ")" +
                             hash('D') +
                             R"(", "url": "https://data.example/bat-eng.tar.gz"},
        {"shortName": "ml-en-tiny", "modelName": "Malay-English tiny", "type": "tiny", "srcTags": {"ml": "Malay"},
         "trgTag": "en", "version": 1, "API": 1, "url": "https://data.example/zsm-eng.tar.gz"},
        {"shortName": "xx", "srcTags": {}, "trgTag": "en", "url": "https://data.example/x.tar.gz"},
        {"shortName": "bad-hash", "srcTags": {"de": "German"}, "trgTag": "en", "checksum": "123",
         "url": "https://data.example/y.tar.gz"}]})";
    const auto hplt = read("hplt", body);
    CHECK(models(hplt.entries) == Names{"bat-en-tiny", "ml-en-tiny"});
    CHECK(hplt.broken == 2);
    const Entry& baltic = entry(hplt.entries, "bat-en-tiny");
    CHECK(baltic.from == Names{"lt", "lv"});
    CHECK(baltic.to == Names{"en"});
    CHECK(baltic.files[0].sha256 == hash('d'));
    CHECK(baltic.files[0].packing == Packing::archive);
    CHECK(baltic.version == "1");
    CHECK(entry(hplt.entries, "ml-en-tiny").from == Names{"ms"});
    CHECK(entry(read("translatelocally", body).entries, "ml-en-tiny").from == Names{"ml"});
}

TEST_CASE("opus: lines that are archives") {
    const auto list = read("opus",
                           "de-en/opus-2019-12-04.zip\r\nde-en/opus-2020-02-26.zip\nde-en/opus-2020-02-26.eval.txt\n"
                           "de+nl-ROMANCE/opus+bt-2020-05-30.zip\nen-pt_br/opus-2020-01-01.zip\nREADME.md\n\n"
                           "NORTH_EU-en/opus-2020-01-15.zip\n" +
                               std::string(100'000, 'x') + "\n");
    CHECK(models(list.entries) == Names{"NORTH_EU-en", "de+nl-ROMANCE", "de-en", "en-pt_br"});
    CHECK(list.broken == 0);
    const Entry& german = entry(list.entries, "de-en");
    CHECK(german.version == "opus-2020-02-26");
    CHECK(german.license == "CC-BY-4.0");
    CHECK(german.files[0].url.ends_with("/OPUS-MT-models/de-en/opus-2020-02-26.zip"));
    CHECK(entry(list.pinned, "de-en@opus-2019-12-04").files[0].name == "opus-2019-12-04.zip");
    CHECK(entry(list.entries, "de+nl-ROMANCE").from == Names{"de", "nl"});
    CHECK(entry(list.entries, "de+nl-ROMANCE").to == Names{"roa"});
    CHECK(entry(list.entries, "en-pt_br").to == Names{"pt-BR"});
    CHECK(entry(list.entries, "NORTH_EU-en").from.empty());
}

TEST_CASE("tatoeba: a table, of which the best of a pair is taken") {
    const auto row = [](const std::string& pair, const std::string& two, const std::string& build,
                        const std::string& chrf) {
        return "https://store.example/Tatoeba-MT-models/" + pair + "/" + build + ".zip\t" + pair + "\t" + two + "\t" +
               chrf + "\t41.5\tGerman\tEnglish\n";
    };
    const auto list = read("tatoeba",
                           row("deu-eng", "de-en", "opus-2021-02-22", "0.639") +
                               row("deu-eng", "de-en", "opusTCv20210807+bt_transformer-big_2022-03-09", "0.64496") +
                               row("deu-eng", "de-en", "opus-2021-02-22", "0.639") +
                               row("gmw-eng", "gmw-en", "opus-2020-07-26", "0.6") + "# a comment\nbroken\tline\n");
    CHECK(models(list.entries) == Names{"deu-eng", "gmw-eng"});
    CHECK(list.broken == 1);
    CHECK(list.pinned.size() == 3);
    const Entry& german = entry(list.entries, "deu-eng");
    CHECK(german.version == "opusTCv20210807+bt_transformer-big_2022-03-09");
    CHECK(german.metric == "chrf");
    CHECK(german.quality == doctest::Approx(64.496));
    CHECK(german.from == Names{"de"});
    CHECK(german.title == "German to English");
    CHECK(german.files[0].url ==
          "https://store.example/Tatoeba-MT-models/deu-eng/opusTCv20210807+bt_transformer-big_2022-03-09.zip");
}

TEST_CASE("What is no list is refused as a whole") {
    for (const char* body : {"", "<html>not found</html>", "[{\"from_code\": \"de\"", "{}", "12", "null", "\"text\""}) {
        INFO(body);
        for (const char* id : {"firefox", "firefox-all", "translatelocally"})
            test::check_refused(Status::bad_model, {"the list of", id}, [&] { read(id, body); });
    }
    test::check_refused(Status::bad_model, {"the list of argos"}, [&] { read("argos", "[{\"from_code\""); });
    test::check_refused(Status::bad_model, {"the list of opus: expected text"},
                        [&] { read("opus", std::string("a\0b", 3)); });
    CHECK(read("argos", "[]").entries.empty());
    const std::string deep(200'000, '[');
    test::check_refused(Status::bad_model, {"the list of argos"}, [&] { read("argos", deep); });
    std::string many = "[";
    for (std::size_t i = 0; i <= kMostItems; ++i) many += i ? ",1" : "1";
    test::check_refused(Status::bad_model, {"expected at most 200000"}, [&] { read("argos", many + "]"); });
}

TEST_CASE("Every prefix of a list is refused, or read without a word that is not in it") {
    const std::string body = R"({"data": [)" + record("de>en", "model", "3.0").dump() + "," +
                             record("de>en", "vocab", "3.0").dump() + "]}";
    CHECK(read("firefox", body).entries.size() == 1);
    for (std::size_t cut = 0; cut < body.size(); ++cut)
        CHECK_THROWS_AS(read("firefox", body.substr(0, cut)), const Error&);
}

TEST_CASE("Values of other types than expected are broken items") {
    for (const char* value :
         {"null", "12", "[]", "{}", "[[1]]", "true", "\"\"", "\"../../x\"", "{\"location\": [1]}"}) {
        for (const char* key : {"sourceLanguage", "version", "fileType", "attachment", "name", "decompressedHash",
                                "decompressedSize", "filter_expression"}) {
            INFO(key << " " << value);
            nlohmann::json model = record("de>en", "model", "3.0");
            model[key] = nlohmann::json::parse(value);
            const nlohmann::json data = {model, record("de>en", "vocab", "3.0")};
            ListContent list;
            CHECK_NOTHROW(list = read("firefox", nlohmann::json{{"data", data}}.dump()));
            for (const Entry& one : list.entries)
                for (const RemoteFile& file : one.files) CHECK(file.name.find("..") == std::string::npos);
        }
    }
}

TEST_CASE("url: one file at an address") {
    test::User user;
    const std::vector<Registry> all = registries();
    const Registry& registry = find_registry(all, "url");
    const Entry zip = ask_registry(registry, "https://host.example:8080/a/model.zip?x=1", true, {}, {});
    CHECK(zip.name() == "url:https://host.example:8080/a/model.zip?x=1");
    CHECK(zip.publisher == "host.example:8080");
    REQUIRE(zip.files.size() == 1);
    CHECK(zip.files[0].name == "model.zip");
    CHECK(zip.files[0].packing == Packing::archive);
    const Entry gguf = ask_registry(registry, "http://h/m.gguf#sha256=" + hash('A'), true, {}, {});
    CHECK(gguf.files[0].url == "http://h/m.gguf");
    CHECK(gguf.files[0].sha256 == hash('a'));
    CHECK(gguf.files[0].packing == Packing::none);
    CHECK(ask_registry(registry, "http://h/m.bin.gz", true, {}, {}).files[0].name == "m.bin");
    for (const char* url : {"ftp://h/a.zip", "https://h/", "https://h", "h/a.zip", "https://h/..",
                            "https://h/a.zip#md5=1", "https://h/a.zip#sha256=12"})
        test::check_refused(Status::invalid_argument, {"url:"}, [&] { ask_registry(registry, url, true, {}, {}); });
}

}  // namespace shapes_test
