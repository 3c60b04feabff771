// SPDX-License-Identifier: Apache-2.0
// Documents as jobs, which go on after the process was killed.
#include "serve/work/documents.h"

#include <doctest/doctest.h>
#include <dragoman/documents.hpp>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "base/environment.h"
#include "serve/work/glossaries.h"
#include "serve/work/memories.h"
#include "serve/work/service.h"
#include "support/child.h"
#include "support/run_program.h"

namespace documents_test {

using namespace service_test;
namespace fs = std::filesystem;

namespace {

// Everything that documents need, with one folder for them.
struct Office {
    explicit Office(const fs::path& place, DocumentsOptions given = {},
                    std::vector<std::string> names = {DRAGOMAN_SHIPPED_MODEL})
        : options(std::move(given)), served(std::move(names)) {
        options.folder = place / "documents";
        open();
    }
    void open() {
        models = std::make_unique<Models>(serving(served));
        translations = std::make_unique<Translations>(*models, TranslationsOptions{});
        documents = std::make_unique<Documents>(*models, *translations, glossaries, memories, options);
    }
    void close() {
        documents.reset();
        translations.reset();
        models.reset();
    }
    DocumentState wait(const std::string& id) {
        std::promise<DocumentState> ended;
        std::atomic<bool> told = false;
        documents->watch(id, [&](const DocumentState& state) {
            if (state.state != "queued" && state.state != "translating" && !told.exchange(true)) ended.set_value(state);
            return true;
        });
        return ended.get_future().get();
    }
    std::size_t folders() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(options.folder),
                                                      fs::directory_iterator()));
    }

    DocumentsOptions options;
    std::vector<std::string> served;  // models
    Glossaries glossaries{""};
    Memories memories{""};
    std::unique_ptr<Models> models;
    std::unique_ptr<Translations> translations;
    std::unique_ptr<Documents> documents;
};

std::string sentences(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "Ich habe " + std::to_string(i + 2) + " Hunde.\n";
    return text;
}

DocumentAsk document(const test::TempDir& folder, const std::string& name, const std::string& content) {
    DocumentAsk ask;
    static std::atomic<int> number = 0;
    ask.file = folder.write("upload" + std::to_string(++number), content);
    ask.name = name;
    ask.from = "de";
    ask.to = "en";
    return ask;
}

std::string by_library(const std::string& name, const std::string& content, const std::string& from = "de",
                       std::uint32_t beam = DRAGOMAN_MODEL_DEFAULT) {
    static const dragoman::Model model{std::string(DRAGOMAN_SHIPPED_MODEL)};
    static dragoman::Translator translator(model);
    static std::map<std::tuple<std::string, std::string, std::string, std::uint32_t>, std::string> known;
    const auto [at, added] = known.try_emplace({name, content, from, beam});
    if (!added) return at->second;
    dragoman::TranslateOptions options;
    options.source_language = from.c_str();
    options.target_language = from == "de" ? "en" : "de";
    options.beam_size = beam;
    return at->second = dragoman::translate_document_bytes(translator, name.c_str(), content, options);
}

constexpr int kMany = 240;                    // sentences, which take a while
constexpr std::uint64_t kSomeBytes = 6'000;  // of kept answers: of some of these sentences

DocumentAsk greedily(DocumentAsk ask) {
    ask.options = Json::parse(R"({"beam_size": 1})");
    return ask;
}

// A package made by Python: "word/document.xml" with a text, or with many blanks.
std::string packed(const test::TempDir& folder, const std::string& text, bool bomb = false) {
    const std::string path = folder.path() / (bomb ? "bomb.docx" : "made.docx");
    const std::string script =
        "import sys, zipfile\n"
        "n = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'\n"
        "with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:\n"
        "  z.writestr('[Content_Types].xml', '<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
        "<Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument."
        "wordprocessingml.document.main+xml\"/></Types>')\n"
        "  body = ''.join('<w:p><w:r><w:t>' + s + '</w:t></w:r></w:p>' for s in sys.argv[2].split('\\n'))\n"
        "  with z.open('word/document.xml', 'w') as out:\n"
        "    out.write(('<w:document xmlns:w=\"' + n + '\"><w:body>' + body).encode())\n"
        "    for i in range(int(sys.argv[3])): out.write(b' ' * (1 << 20))\n"
        "    out.write(b'</w:body></w:document>')\n";
    const test::Run made = test::run("python3", {"-c", script, path, text, bomb ? "30" : "0"});
    CAPTURE(made.err);
    REQUIRE(made.exit_code == 0);
    return test::read_file(path);
}

bool comes(const std::function<bool()>& what) {
    for (const auto end = std::chrono::steady_clock::now() + test::kPatience; !what();) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

// How much of a document is kept on the disk while it is translated.
std::uint64_t bytes_of(const fs::path& document) {
    std::error_code none;
    const auto size = fs::file_size(document / "resume", none);
    return none ? 0 : size;
}

std::uint64_t kept_bytes(const fs::path& documents) {
    std::error_code none;
    for (const auto& folder : fs::directory_iterator(documents, none))
        if (const std::uint64_t size = bytes_of(folder.path())) return size;
    return 0;
}

}  // namespace

TEST_CASE("documents are those of the library") {
    const test::TempDir folder;
    Office office(folder.path());
    const std::string text = "Wo ist der Bahnhof?\nIch habe drei Hunde.\n";
    const std::string subtitles =
        "1\n00:00:01,000 --> 00:00:02,000\nGuten Morgen!\n\n2\n00:00:03,000 --> 00:00:04,000\n"
        "Wo ist der Bahnhof?\n";
    const std::string page = "<html><body><p>Ich habe <b>drei</b> Hunde.</p></body></html>";
    const std::string package = packed(folder, "Wo ist der Bahnhof?\nIch habe drei Hunde.");
    for (const auto& [name, content] :
         {std::pair{"a.txt", text}, {"a.srt", subtitles}, {"a.html", page}, {"a.docx", package}}) {
        CAPTURE(name);
        DocumentAsk ask = document(folder, name, content);
        const fs::path upload = ask.file;
        const DocumentState begun = office.documents->add(ask);
        CHECK(begun.state == "queued");
        CHECK(begun.id.size() == 32);
        CHECK(begun.secret.size() == 32);
        CHECK(begun.secret != begun.id);
        CHECK_FALSE(fs::exists(upload));
        const DocumentState done = office.wait(begun.id);
        CHECK(done.error == "");
        CHECK(done.state == "done");
        CHECK(test::read_file(done.result) == by_library(name, content));
        CHECK(done.output_name == "a_en" + fs::path(name).extension().string());
        CHECK(done.characters > 10);
        CHECK(done.done == done.total);
        CHECK(done.total > 0);
        CHECK(done.seconds_remaining == 0);
    }
    CHECK(office.documents->list("").size() == 4);
    CHECK(office.documents->list("other").empty());
    for (const DocumentState& state : office.documents->list("")) office.documents->remove(state.id);
    CHECK(office.folders() == 0);
    CHECK(office.documents->waiting() == 0);
}

TEST_CASE("what is wrong is said before a document is taken") {
    const test::TempDir folder;
    Office office(folder.path());
    const auto refused = [&](const std::function<void(DocumentAsk&)>& change) {
        DocumentAsk ask = document(folder, "a.txt", "Hallo");
        change(ask);
        return problem_of([&] { (void)office.documents->add(ask); });
    };
    CHECK(is(refused([](DocumentAsk& ask) { ask.to = "xx"; }), Problem::Kind::unsupported_language));
    CHECK(is(refused([](DocumentAsk& ask) { ask.to = ""; }), Problem::Kind::missing));
    CHECK(is(refused([](DocumentAsk& ask) { ask.from = "xx"; }), Problem::Kind::unsupported_language));
    CHECK(is(refused([](DocumentAsk& ask) { ask.name = "a.exe"; }), Problem::Kind::unsupported_type));
    CHECK(is(refused([](DocumentAsk& ask) { ask.format = "wordperfect"; }), Problem::Kind::unsupported_type));
    CHECK(is(refused([](DocumentAsk& ask) { ask.model = "none"; }), Problem::Kind::not_found));
    CHECK(is(refused([](DocumentAsk& ask) { ask.glossaries = {"none"}; }), Problem::Kind::not_found));
    CHECK(is(refused([](DocumentAsk& ask) { ask.memory = "none"; }), Problem::Kind::not_found));
    CHECK(is(refused([](DocumentAsk& ask) { ask.name = "a\xff.txt"; }), Problem::Kind::bad_request));
    CHECK(is(refused([](DocumentAsk& ask) { ask.options = Json::parse(R"({"beam_size": 99})"); }),
             Problem::Kind::bad_request));
    CHECK(is(problem_of([&] { (void)office.documents->get("../documents"); }), Problem::Kind::not_found));
    CHECK(office.folders() == 0);
    const std::vector<std::string> endings = Documents::endings();
    CHECK(std::ranges::find(endings, ".docx") != endings.end());
    CHECK(std::ranges::find(endings, ".srt") != endings.end());
}

TEST_CASE("a client's name is no path") {
    const test::TempDir folder;
    Office office(folder.path());
    DocumentAsk ask = document(folder, "../../etc/pass\"wd\n.txt", "Hallo");
    const DocumentState done = office.wait(office.documents->add(ask).id);
    CHECK(done.output_name == "passwd_en.txt");
    CHECK(done.result.parent_path().parent_path() == office.options.folder);
}

TEST_CASE("a broken document and a bomb are errors without paths") {
    const test::TempDir folder;
    Office office(folder.path());
    const std::string bomb = packed(folder, "Hallo", true);
    CHECK(bomb.size() < (4u << 20));
    for (const auto& [name, content] : {std::pair{std::string("bomb.docx"), bomb},
                                        {std::string("cut.docx"), bomb.substr(0, 1000)},
                                        {std::string("a.xliff"), std::string("<xliff version=\"1.2\"><file>")}}) {
        CAPTURE(name);
        DocumentAsk ask = document(folder, name, content);
        ask.from = name == "bomb.docx" ? "auto" : "de";
        const DocumentState failed = office.wait(office.documents->add(ask).id);
        CAPTURE(failed.error);
        CHECK(failed.state == "error");
        CHECK(!failed.error.empty());
        CHECK(failed.error.find(std::string(folder.path())) == std::string::npos);
    }
}

TEST_CASE("the language of a document is found") {
    const test::TempDir folder;
    Office office(folder.path());
    const std::string german = packed(folder, "Wo ist der Bahnhof?\nIch habe drei Hunde und eine Katze.");
    DocumentAsk ask = document(folder, "a.docx", german);
    ask.from = "auto";
    const DocumentState done = office.wait(office.documents->add(ask).id);
    CHECK(done.from == "de");
    CHECK(test::read_file(done.result) == by_library("a.docx", german));
    const std::string english = sentences(3) +
                                "Where is the station? I have three dogs and one old cat. It is raining today.\n";
    ask = document(folder, "a.txt", english.substr(english.find("Where")));
    ask.from = "";
    ask.to = "de";
    const DocumentState other = office.wait(office.documents->add(ask).id);
    CHECK(other.from == "en");
    CHECK(test::read_file(other.result) == by_library("a.txt", english.substr(english.find("Where")), "en"));
}

TEST_CASE("the language of a document is found among several") {
    const test::TempDir folder, models;
    Office office(folder.path(), {}, {DRAGOMAN_SHIPPED_MODEL, tiny(models, "fr", "de")});
    DocumentAsk ask = document(folder, "a.txt", "Le chien dort dans le jardin.\nOù est la gare, s'il vous plaît ?\n");
    ask.from = "auto";
    ask.to = "de";
    const DocumentState done = office.wait(office.documents->add(ask).id);
    CHECK(done.error == "");
    CHECK(done.from == "fr");
}

TEST_CASE("languages that no model joins are refused") {
    const test::TempDir folder, models;
    Office office(folder.path(), {}, {tiny(models, "de", "en")});
    DocumentAsk ask = document(folder, "a.txt", "Hallo");
    std::swap(ask.from, ask.to);
    CHECK(is(problem_of([&] { (void)office.documents->add(ask); }), Problem::Kind::unsupported_pair));
}

TEST_CASE("a document that is in the target language already stays as it is") {
    const test::TempDir folder;
    Office office(folder.path());
    const std::string text = "Das ist ein kurzer deutscher Text ueber den Bahnhof. Der Zug kommt um acht Uhr an.\n";
    const std::string page = "<html><body><p>Das ist ein kurzer <b>deutscher</b> Text.</p></body></html>";
    for (const auto& [name, content] : {std::pair{"a.txt", text}, {"a.html", page}})
        for (const char* from : {"auto", "", "de", "German"}) {
            CAPTURE(name);
            CAPTURE(from);
            DocumentAsk ask = document(folder, name, content);
            ask.from = from;
            ask.to = "de";
            const DocumentState done = office.wait(office.documents->add(ask).id);
            CHECK(done.error == "");
            CHECK(done.state == "done");
            CHECK(done.from == "de");
            CHECK(test::read_file(done.result) == content);
            CHECK(done.characters == 0);
        }
    // Glossaries have nothing to say to it.
    DocumentAsk ask = document(folder, "a.txt", text);
    ask.to = "de";
    ask.glossaries = {office.glossaries.add("", "terms", {{"de", "en", {{"Bahnhof", "depot"}}}}).id};
    CHECK(test::read_file(office.wait(office.documents->add(ask).id).result) == text);
}

TEST_CASE("terms and translation memories hold for documents") {
    const test::TempDir folder;
    Office office(folder.path());
    DocumentAsk ask = document(folder, "a.txt", "Wo ist der Bahnhof?\nGuten Morgen!\n");
    ask.glossaries = {office.glossaries.add("", "terms", {{"de", "en", {{"Bahnhof", "depot"}}}}).id};
    ask.memory =
        office.memories
            .add("", "memory",
                 "<tmx version=\"1.4\"><header srclang=\"de\"/><body><tu><tuv xml:lang=\"de\"><seg>Guten Morgen!</seg>"
                 "</tuv><tuv xml:lang=\"en\"><seg>Top of the morning!</seg></tuv></tu></body></tmx>")
            .id;
    const std::string text = test::read_file(office.wait(office.documents->add(ask).id).result);
    CHECK(text.find("depot") != std::string::npos);
    CHECK(text.find("Top of the morning!") != std::string::npos);
}

TEST_CASE("cancelled and removed while it is translated") {
    const test::TempDir folder;
    DocumentsOptions options;
    options.threads = 1;
    options.most_waiting = 2;
    Office office(folder.path(), options);
    const std::string id = office.documents->add(document(folder, "a.txt", sentences(3000))).id;
    const std::string next = office.documents->add(document(folder, "b.txt", sentences(3000))).id;
    const auto busy = problem_of([&] { (void)office.documents->add(document(folder, "c.txt", "Hallo")); });
    CHECK(is(busy, Problem::Kind::busy));
    CHECK(busy->retry_after > 0);
    std::atomic<int> changes = 0;
    office.documents->watch(id, [&](const DocumentState&) { return ++changes > 0; });
    REQUIRE(comes([&] {
        return office.documents->get(id).state == "translating" && kept_bytes(office.options.folder) > 500;
    }));
    office.documents->cancel(next);  // waits in the queue
    CHECK(office.documents->get(next).state == "cancelled");
    CHECK_FALSE(fs::exists(office.options.folder / next / "input"));
    office.documents->cancel(id);
    CHECK(office.wait(id).state == "cancelled");
    CHECK(changes > 0);
    const std::string third = office.documents->add(document(folder, "d.txt", sentences(3000))).id;
    REQUIRE(comes([&] { return office.documents->get(third).state == "translating"; }));
    office.documents->remove(third);
    CHECK(is(problem_of([&] { (void)office.documents->get(third); }), Problem::Kind::not_found));
    CHECK(office.wait(office.documents->add(document(folder, "e.txt", "Hallo")).id).state == "done");
    CHECK_FALSE(fs::exists(office.options.folder / third));
}

TEST_CASE("what was cancelled or removed at work does not come back after a kill") {
    const test::TempDir folder;
    DocumentsOptions options;
    options.threads = 1;
    Office office(folder.path(), options);
    const std::string id = office.documents->add(document(folder, "a.txt", sentences(3000))).id;
    const fs::path job = office.options.folder / id / "job.json";
    REQUIRE(comes([&] { return office.documents->get(id).state == "translating"; }));
    office.documents->cancel(id);
    const std::string left = test::read_file(job);  // as a kill at this moment would leave it
    office.wait(id);
    const std::string second = office.documents->add(document(folder, "b.txt", sentences(3000))).id;
    REQUIRE(comes([&] { return office.documents->get(second).state == "translating"; }));
    office.documents->remove(second);
    CHECK_FALSE(fs::exists(office.options.folder / second / "job.json"));
    office.close();

    std::ofstream(job) << left;
    office.open();
    CHECK(office.documents->get(id).state == "cancelled");
    CHECK(is(problem_of([&] { (void)office.documents->get(second); }), Problem::Kind::not_found));
}

TEST_CASE("what is on the disk says that a document was cancelled, though its work has just begun") {
    const test::TempDir folder;
    DocumentsOptions options;
    options.threads = 1;
    Office office(folder.path(), options);
    const std::string text = sentences(20);
    for (int i = 0; i < 60; ++i) {
        const std::string id = office.documents->add(document(folder, "a.txt", text)).id;
        while (office.documents->get(id).state == "queued") std::this_thread::yield();
        office.documents->cancel(id);
        const Json kept = Json::parse(test::read_file(office.options.folder / id / "job.json"));
        if (!kept["cancelled"]) CHECK(kept["state"] == "done");
        office.documents->remove(id);
        if (office.folders() > 0) CHECK_FALSE(fs::exists(office.options.folder / id / "job.json"));
        CHECK(comes([&] { return office.folders() == 0; }));
    }
}

TEST_CASE("who does not want to be told any more is not") {
    const test::TempDir folder;
    Office office(folder.path());
    const std::string id = office.documents->add(document(folder, "a.txt", sentences(60))).id;
    std::atomic<int> once = 0, broken = 0;
    office.documents->watch(id, [&](const DocumentState&) { return ++once < 1; });
    office.documents->watch(id, [&](const DocumentState&) -> bool {
        ++broken;
        throw std::runtime_error("the client is odd");
    });
    CHECK(office.wait(id).state == "done");
    CHECK(once == 1);
    CHECK(broken == 1);
    REQUIRE(office.documents->notes().size() == 1);
    CHECK(office.documents->notes()[0].find("the client is odd") != std::string::npos);
}

TEST_CASE("after the end nobody is told and nothing is taken") {
    const test::TempDir folder;
    Office office(folder.path());
    const std::string id = office.documents->add(document(folder, "a.txt", sentences(3000))).id;
    std::atomic<bool> ended = false;
    std::atomic<int> late = 0;
    office.documents->watch(id, [&](const DocumentState&) { return late += ended ? 1 : 0, true; });
    REQUIRE(comes([&] { return kept_bytes(office.options.folder) > 500; }));
    office.documents->end();
    ended = true;
    CHECK(is(problem_of([&] { (void)office.documents->add(document(folder, "b.txt", "Hallo")); }),
             Problem::Kind::busy));
    CHECK(office.documents->get(id).state == "queued");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK(late == 0);
    office.documents->end();  // again, which does nothing
}

TEST_CASE("a document is charged once, for all of its sentences, when it is done") {
    const test::TempDir folder;
    std::mutex mutex;
    std::vector<std::pair<std::string, std::uint64_t>> charged;
    DocumentsOptions options;
    options.charge = [&](const std::string& owner, const std::string&, std::uint64_t characters) {
        const std::lock_guard lock(mutex);
        charged.emplace_back(owner, characters);
        if (owner == "odd") throw std::runtime_error("the file of keys is locked");
        if (owner == "short") throw Problem(Problem::Kind::quota, "too little is left");
    };
    std::vector<std::string> settled;
    options.settled = [&](const std::string& id) {
        const std::lock_guard lock(mutex);
        settled.push_back(id);
    };
    options.may_begin = [](const std::string& owner, const std::string&) {
        if (owner == "poor") throw Problem(Problem::Kind::quota, "nothing is left");
    };
    Office office(folder.path(), options);
    std::string text;
    for (int i = 0; i < 20; ++i) text += "Wo ist der Zug?\n";
    const auto add = [&](const std::string& owner, const std::string& content) {
        DocumentAsk ask = document(folder, "a.txt", content);
        ask.owner = owner;
        return office.documents->add(ask).id;
    };
    // What a client can know, it can know the costs of.
    std::promise<std::size_t> charges;
    const std::string id = add("anna", text);
    std::atomic<bool> told = false;
    office.documents->watch(id, [&](const DocumentState& state) {
        const std::lock_guard lock(mutex);
        if (state.state == "done" && !told.exchange(true)) charges.set_value(charged.size());
        return true;
    });
    CHECK(charges.get_future().get() == 1);
    CHECK(office.documents->get(id).characters == 20 * 15);
    CHECK(office.wait(add("otto", "Wie spät ist es?\nWo ist der Zug?\n")).state == "done");
    const DocumentState refused = office.wait(add("poor", text));
    CHECK(refused.state == "error");
    CHECK(refused.error == "nothing is left");
    CHECK(office.wait(add("odd", "Ja.")).state == "done");
    const DocumentState dear = office.wait(add("short", text));
    CHECK(dear.state == "error");
    CHECK(dear.error == "too little is left");
    CHECK_FALSE(fs::exists(office.options.folder / dear.id / "output"));
    const std::string gone = add("anna", sentences(3000));
    REQUIRE(comes([&] { return office.documents->get(gone).state == "translating"; }));
    office.documents->remove(gone);
    CHECK(comes([&] { return !fs::exists(office.options.folder / gone); }));
    office.close();
    office.open();
    CHECK(office.documents->get(id).state == "done");
    const std::lock_guard lock(mutex);
    using Charges = std::vector<std::pair<std::string, std::uint64_t>>;
    CHECK(charged == Charges{{"anna", 300}, {"otto", 31}, {"odd", 3}, {"short", 300}});
    CHECK(settled.size() == 3);
    CHECK(std::ranges::count(settled, id) == 1);
    CHECK(std::ranges::count(settled, dear.id) == 0);
}

// A process that is killed right after a document was charged does it again: the name tells that it was charged.
TEST_CASE("a document that was charged before the end of the process has the same name when it is charged again") {
    const test::TempDir folder, killed;
    std::mutex mutex;
    std::vector<std::pair<std::string, std::uint64_t>> charged;
    DocumentsOptions options;
    Office office(folder.path(), options);
    const auto charge = [&](const std::string&, const std::string& id, std::uint64_t characters) {
        const std::lock_guard lock(mutex);
        charged.emplace_back(id, characters);
        // The folder as it is now.
        if (charged.size() == 1)
            fs::copy(office.options.folder, killed.path() / "documents", fs::copy_options::recursive);
    };
    office.close();
    office.options.charge = charge;
    office.open();
    const std::string id = office.documents->add(document(folder, "a.txt", "Wo ist der Zug?\n")).id;
    CHECK(office.wait(id).state == "done");
    office.close();
    office.options.folder = killed.path() / "documents";
    office.open();
    CHECK(office.wait(id).state == "done");
    office.close();
    using Charges = std::vector<std::pair<std::string, std::uint64_t>>;
    CHECK(charged == Charges{{id, 15}, {id, 15}});
}

TEST_CASE("one owner cannot have all places, nor all room") {
    const test::TempDir folder;
    DocumentsOptions options;
    options.threads = 1;
    options.most_waiting = 8;
    options.most_bytes = 400'000;
    std::promise<void> goes_on;
    const std::shared_future<void> wait(goes_on.get_future());
    options.may_begin = [wait](const std::string&, const std::string&) {
        wait.get();
        throw Problem(Problem::Kind::quota, "nothing is left");
    };
    Office office(folder.path(), options);
    const auto add = [&](const std::string& owner, std::size_t bytes = 10) {
        DocumentAsk ask = document(folder, "a.txt", std::string(bytes, 'a'));
        ask.owner = owner;
        return problem_of([&] { (void)office.documents->add(ask); });
    };
    CHECK_FALSE(add("anna"));
    CHECK_FALSE(add("anna"));
    const auto third = add("anna");
    CHECK(is(third, Problem::Kind::busy));
    CHECK(std::string(third->what()) == "2 of 2 documents of this key wait");
    CHECK_FALSE(add("otto", 50'000));  // alone
    const auto much = add("otto", 30'000);
    CHECK(is(much, Problem::Kind::busy));
    CHECK(std::string(much->what()).starts_with("documents of this key take "));
    CHECK_FALSE(add("otto"));
    for (int i = 0; i < 4; ++i) CHECK_FALSE(add(""));  // without keys all are one
    CHECK(is(add("emma"), Problem::Kind::busy));
    goes_on.set_value();
}

TEST_CASE("files have a bound, and old ones go") {
    const test::TempDir folder;
    DocumentsOptions options;
    options.most_bytes = 20'000;
    options.kept = std::chrono::seconds(1);
    Office office(folder.path(), options);
    CHECK(is(problem_of([&] { (void)office.documents->add(document(folder, "a.txt", std::string(10'000, 'a'))); }),
             Problem::Kind::busy));
    const std::string id = office.documents->add(document(folder, "a.txt", "Hallo")).id;
    CHECK(office.wait(id).state == "done");
    CHECK(comes([&] { return office.folders() == 0; }));
    CHECK(is(problem_of([&] { (void)office.documents->get(id); }), Problem::Kind::not_found));
}

TEST_CASE("a service that ends goes on when it starts again") {
    const test::TempDir folder;
    DocumentsOptions options;
    std::vector<std::uint64_t> charged;
    options.charge = [&](const std::string&, const std::string&, std::uint64_t characters) {
        charged.push_back(characters);
    };
    Office office(folder.path(), options);
    const std::string text = sentences(kMany);
    DocumentAsk ask = greedily(document(folder, "a.txt", text));
    const std::string id = office.documents->add(ask).id;
    ask = greedily(document(folder, "b.txt", text));
    ask.durable = false;
    const std::string fleeting = office.documents->add(ask).id;
    REQUIRE(comes([&] { return bytes_of(office.options.folder / id) > kSomeBytes; }));
    office.close();
    fs::create_directory(office.options.folder / std::string(32, 'a'));
    std::ofstream(office.options.folder / std::string(32, 'a') / "job.json") << "{";
    office.open();
    REQUIRE(office.documents->notes().size() == 1);
    CHECK(office.documents->notes()[0].find("broken") != std::string::npos);
    CHECK(is(problem_of([&] { (void)office.documents->get(fleeting); }), Problem::Kind::not_found));
    const DocumentState done = office.wait(id);
    CHECK(done.state == "done");
    CHECK(test::read_file(done.result) == by_library("a.txt", text, "de", 1));
    CHECK(office.models->stats().sentences < kMany);
    office.close();
    CHECK(charged == std::vector<std::uint64_t>{text.size() - kMany});  // what was translated before counts, too
    office.open();
    CHECK(office.documents->get(id).state == "done");
    CHECK(fs::exists(office.documents->get(id).result));
}

// What the test below starts, and kills.
TEST_CASE("child: translates a document in a folder" * doctest::skip()) {
    const std::string place = dragoman::environment("DRAGOMAN_TEST_DOCUMENTS");
    REQUIRE(!place.empty());
    const test::TempDir folder;
    Office office(place);
    (void)office.wait(office.documents->add(greedily(document(folder, "a.txt", sentences(kMany)))).id);
}

TEST_CASE("a document that was accepted survives kill -9") {
    const test::TempDir folder;
    test::set_environment("DRAGOMAN_TEST_DOCUMENTS", std::string(folder.path()).c_str());
    {
        test::Child child({fs::read_symlink("/proc/self/exe").string(), "--no-skip",
                           "--test-case=child: translates a document in a folder"});
        REQUIRE(comes([&] { return kept_bytes(folder.path() / "documents") > kSomeBytes || !child.running(); }));
        child.kill();
        CHECK(child.wait().signal == SIGKILL);
    }
    Office office(folder.path());
    REQUIRE(office.documents->list("").size() == 1);
    const DocumentState done = office.wait(office.documents->list("")[0].id);
    CHECK(done.error == "");
    CHECK(done.state == "done");
    CHECK(test::read_file(done.result) == by_library("a.txt", sentences(kMany), "de", 1));
    CHECK(office.models->stats().sentences < kMany);
}

}  // namespace documents_test
