// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>

#include "download/fault_server.h"
#include "download/url.h"
#include "support/refused.h"

namespace faults_test {
using namespace dragoman;
using namespace dragoman::test;

struct Faulty {
    FaultServer server;
    TempDir folder;

    download::FileRequest request(const std::string& path, uint64_t bytes = 0) const {
        download::FileRequest request;
        request.url = server.url(path);
        request.partial = folder.path() / "file";
        request.bytes = bytes;
        return request;
    }

    // The notes on the way.
    std::vector<std::string> get(const download::FileRequest& request,
                                 download::Settings settings = soon_again()) const {
        std::vector<std::string> notes;
        download::get_files({request}, settings, 1, [&](const download::Progress& progress) {
            if (!progress.note.empty()) notes.push_back(progress.note);
            return true;
        });
        return notes;
    }

    void refused(const std::string& path, std::initializer_list<const char*> parts, uint64_t bytes = 0) const {
        CAPTURE(path);
        std::filesystem::remove(folder.path() / "file");
        check_refused(Status::io_error, parts, [&] { get(request(path, bytes)); });
    }
};

double seconds_of(const std::function<void()>& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_CASE("each refusal says what to do") {
    const Faulty faulty;
    faulty.refused("/bytes/9/1?status=401", {"/bytes/9/1: the server answered 401", "token"});
    faulty.refused("/bytes/9/1?status=403", {"403", "access is refused"});
    faulty.refused("/bytes/9/1?status=404", {"404", "no such file", "--refresh"});
    faulty.refused("/none", {"404"});
    faulty.refused("/bytes/9/1?status=418", {"418", "expected 200"});
    faulty.refused("/bytes/9/1?status=429&retry=3600", {"429:", "3600 s", "goes on"});
    faulty.refused("/bytes/9/1?status=429", {"429 (4 tries)", "later", "goes on"});
    faulty.refused("/bytes/9/1?status=503&retry=600", {"503:", "600 s", "goes on"});
    faulty.refused("/bytes/9/1?status=500", {"500 (4 tries)", "the server's", "goes on"});
    faulty.refused("/bytes/9/1?status=503", {"503 (4 tries)"});
    faulty.refused("/bytes/9/1?status=302", {"302", "where to"});
    CHECK(faulty.server.log_of("status=404").size() == 1);
    CHECK(faulty.server.log_of("retry=3600").size() == 1);  // not before the server wants to be asked
    CHECK(faulty.server.log_of("status=500").size() == 4);

    auto gated = faulty.request("/bytes/9/1?status=403&id=gated");
    gated.where_to_accept = "https://example.org/terms";
    check_refused(Status::io_error, {"403", "accepted first, at https://example.org/terms", "whose token"},
                  [&] { faulty.get(gated); });
    gated.token = "secret-token";
    check_refused(Status::io_error, {"of the token"}, [&] { faulty.get(gated); });
    gated.url = faulty.server.url("/bytes/9/1?status=401&signature=secret-signature");
    try {
        faulty.get(gated);
        FAIL("expected a refusal");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).find("token is not accepted") != std::string::npos);
        CHECK(std::string(error.what()).find("secret") == std::string::npos);
    }
}

TEST_CASE("what fails for a while is asked for again, and said") {
    const Faulty faulty;
    for (const char* status : {"408", "429", "500", "502", "503"}) {
        const auto notes = faulty.get(faulty.request(std::string("/bytes/1000/1?times=2&status=") + status),
                                      soon_again());
        CHECK(std::filesystem::file_size(faulty.folder.path() / "file") == 1000);
        REQUIRE(notes.size() == 2);
        CHECK(notes[0] == std::string("tries again after ") + status + ", in 0.0 s");
        std::filesystem::remove(faulty.folder.path() / "file");
    }
    CHECK(faulty.get(faulty.request("/bytes/1000/1?times=2&drop=1")).size() == 2);
}

TEST_CASE("Retry-After: seconds, a date, a date that has passed, and one far away") {
    const Faulty faulty;
    const auto wait_of = [&](const std::string& retry) {
        std::filesystem::remove(faulty.folder.path() / "file");
        return seconds_of([&] { faulty.get(faulty.request("/bytes/9/1?status=429&times=1&retry=" + retry)); });
    };
    const double seconds = wait_of("1");
    CHECK(seconds >= 1);
    CHECK(wait_of("Fri%2C+31+Dec+1999+23%3A59%3A59+GMT") < 0.9);
    CHECK(wait_of("soon") < 0.9);
    // By the server's clock, wherever this machine's is.
    const double second = wait_of("Fri%2C+31+Dec+2100+23%3A59%3A59+GMT&clock=Fri%2C+31+Dec+2100+23%3A59%3A58+GMT");
    CHECK(second >= 1);
    CHECK(second < 10);
    faulty.refused("/bytes/9/1?status=429&retry=Fri%2C+31+Dec+2100+23%3A59%3A59+GMT", {"429:", "it asks to wait"});
}

TEST_CASE("a wrong hash and a wrong size are said with both values, and nothing stays") {
    const Faulty faulty;
    auto request = faulty.request("/bytes/1000/1?wrong=1");
    request.sha256 = sha256_of(faulty.server.bytes(1000));
    check_refused(Status::io_error, {"expected SHA-256", request.sha256.c_str(), "it has"},
                  [&] { faulty.get(request); });
    CHECK(std::filesystem::is_empty(faulty.folder.path()));
    faulty.refused("/bytes/1000/1", {"expected 999 bytes, the server has 1000"}, 999);
    faulty.refused("/bytes/1000/1", {"expected 1001 bytes, the server has 1000"}, 1001);
    CHECK(std::filesystem::is_empty(faulty.folder.path()));
}

TEST_CASE("lengths that lie, or are not there") {
    const Faulty faulty;
    const auto get = [&](const std::string& path, uint64_t bytes) {
        faulty.get(faulty.request(path, bytes));
        const std::string content = read_file(faulty.folder.path() / "file");
        std::filesystem::remove(faulty.folder.path() / "file");
        return content;
    };
    const std::string right = faulty.server.bytes(100'000);
    CHECK(get("/bytes/100000/1?length=none", 0) == right);
    CHECK(get("/bytes/100000/1?length=none", 100'000) == right);
    CHECK(get("/bytes/100000/1?chunked=1", 0) == right);
    CHECK(get("/bytes/100000/1?chunked=1&cut=30000&times=1", 0) == right);
    CHECK(get("/bytes/100000/1?length=none&cut=30000&times=1", 100'000) == right);
    CHECK(get("/bytes/100000/1?length=100050&times=1", 0) == right);
    // More than was announced by the registry ends at once, however much there is.
    faulty.refused("/bytes/100000/1?length=none&slow=1000000", {"expected 5000 bytes, the server sends more"}, 5000);
    CHECK_FALSE(std::filesystem::exists(faulty.folder.path() / "file"));
    faulty.refused("/bytes/100000/1?length=99999999999999999", {"bytes on this disk", "are free"});
}

TEST_CASE("a packed answer that nobody asked for") {
    const Faulty faulty;
    faulty.refused("/bytes/1000/1?gzip=1", {"expected the file as it is", "gzip"});
    auto request = faulty.request("/bytes/1000/1?gzip=1");
    request.sha256 = sha256_of(faulty.server.bytes(1000));
    check_refused(Status::io_error, {"expected SHA-256"}, [&] { faulty.get(request); });
    // Texts may come packed.
    CHECK(download::get_text({.url = faulty.server.url("/bytes/1000/1?gzip=1")}, {}).body == faulty.server.bytes(1000));
}

TEST_CASE("a server that falls silent is left") {
    const Faulty faulty;
    download::Settings settings = soon_again();
    settings.stall_seconds = 0.5;
    const auto notes = faulty.get(faulty.request("/bytes/100000/1?stall=50000&times=1"), settings);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].find("without a byte") != std::string::npos);
    CHECK(read_file(faulty.folder.path() / "file") == faulty.server.bytes(100'000));
}

TEST_CASE("a byte every tenth of a second is no silence") {
    const Faulty faulty;
    download::Settings settings = soon_again();
    settings.stall_seconds = 1.5;
    CHECK(faulty.get(faulty.request("/bytes/20/1?slow=10"), settings).empty());
    CHECK(read_file(faulty.folder.path() / "file") == faulty.server.bytes(20));
}

TEST_CASE("redirects are followed, but not without end") {
    const Faulty faulty;
    CHECK(faulty.get(faulty.request("/bytes/1000/1?hops=10")).empty());
    std::filesystem::remove(faulty.folder.path() / "file");
    faulty.refused("/bytes/1000/1?hops=11", {"more than 10 redirects"});
    faulty.refused("/bytes/1000/1?loop=1&id=loop", {"more than 10 redirects"});
    CHECK(faulty.server.log_of("id=loop").size() == 11);
    faulty.refused("/bytes/1000/1?to=file:///etc/passwd", {"leads to file", "expected http"});
    faulty.refused("/bytes/1000/1?to=ftp://127.0.0.1/x", {"leads to ftp"});
}

TEST_CASE("a token stays with its host") {
    const Faulty faulty;
    const FaultServer other;
    const auto with_token = [&](const std::string& url) {
        auto request = faulty.request("");
        request.url = url;
        request.token = "secret-token";
        request.headers["X-Own"] = "secret-header";
        std::filesystem::remove(request.partial);
        faulty.get(request);
    };
    const auto count = [](const std::vector<std::string>& lines, const char* text) {
        return std::ranges::count_if(lines, [&](const std::string& line) { return line.find(text) != line.npos; });
    };
    with_token(faulty.server.url("/bytes/10/1?hops=1&id=same"));
    CHECK(count(faulty.server.log_of("id=same"), "Authorization: Bearer secret-token") == 2);

    // The same machine under another name, another port, and back again.
    with_token(faulty.server.url("/bytes/10/1?id=first&to=" +
                                 faulty.server.url("/bytes/10/1%3Fid%3Dname", "localhost")));
    CHECK(count(faulty.server.log_of("id=first"), "secret") == 1);
    REQUIRE(faulty.server.log_of("/bytes/10/1?id=name").size() == 1);
    CHECK(count(faulty.server.log_of("/bytes/10/1?id=name"), "secret") == 0);
    const std::string back = other.url("/bytes/10/1?id=port%26to=") + faulty.server.url("/bytes/10/1");
    with_token(faulty.server.url("/bytes/10/1?id=away&to=" + back));
    CHECK(count(faulty.server.log_of("id=away"), "secret") == 1);
    CHECK(other.log_of("id=port").size() == 1);
    CHECK(count(other.log(), "secret") == 0);
    REQUIRE(faulty.server.log_of("GET /bytes/10/1 |").size() == 1);
    CHECK(count(faulty.server.log_of("GET /bytes/10/1 |"), "secret") == 0);
}

TEST_CASE("https does not lead to http, and other protocols are refused") {
    const download::Url url("https://example.org/a/b?x=1");
    CHECK(url.redirected("/c").text() == "https://example.org/c");
    CHECK(url.redirected("c").text() == "https://example.org/a/c");
    CHECK(url.redirected("//other.org/d").text() == "https://other.org/d");
    check_refused(Status::io_error, {"from https to http://example.org/c"},
                  [&] { url.redirected("http://example.org/c"); });
    CHECK(url.same_place(download::Url("https://EXAMPLE.org:443/")));
    CHECK_FALSE(url.same_place(download::Url("https://example.org:444/")));
    CHECK_FALSE(url.same_place(download::Url("http://example.org:443/")));
    CHECK(download::Url("https://user:secret@example.org/a?secret#b").shown() == "https://example.org/a");
    check_refused(Status::unsupported, {"expected http or https, it is ftp"},
                  [] { download::Url("ftp://example.org/a"); });
    check_refused(Status::unsupported, {"file"}, [] { download::get_text({.url = "file:///etc/hostname"}, {}); });
    check_refused(Status::invalid_argument, {"expected an address"}, [] { download::Url("http://"); });
    download::Request broken{.url = "http://127.0.0.1:1/", .token = "a\r\nX-More: b"};
    check_refused(Status::invalid_argument, {"line break"}, [&] { download::get_text(broken, {}); });
}

TEST_CASE("no server, and no such host") {
    const TempDir folder;
    check_refused(Status::io_error, {"127.0.0.1:1", "is there a network", "4 tries"},
                  [] { download::get_text({.url = "http://127.0.0.1:1/x"}, soon_again()); });
    check_refused(Status::io_error, {"no-such-host.invalid", "is there a network"},
                  [] { download::get_text({.url = "http://no-such-host.invalid/x"}, soon_again()); });
}

TEST_CASE("a proxy is taken from the environment, and hosts without one") {
    const Faulty faulty;
    set_environment("http_proxy", faulty.server.url("").c_str());
    const auto text = download::get_text({.url = "http://no-such-host.invalid/bytes/9/1"}, soon_again());
    set_environment("no_proxy", "no-such-host.invalid");
    check_refused(Status::io_error, {"no-such-host.invalid"},
                  [] { download::get_text({.url = "http://no-such-host.invalid/bytes/9/1"}, soon_again()); });
    set_environment("http_proxy", nullptr);
    set_environment("no_proxy", nullptr);
    CHECK(text.body == faulty.server.bytes(9));
    CHECK(faulty.server.log_of("GET http://no-such-host.invalid/bytes/9/1").size() == 1);
}

TEST_CASE("texts are bounded, stopped and refused as files are") {
    const Faulty faulty;
    download::Settings settings = soon_again();
    settings.most_text_bytes = 1000;
    CHECK(download::get_text({.url = faulty.server.url("/bytes/1000/1")}, settings).body.size() == 1000);
    check_refused(Status::io_error, {"at most 1000 bytes"},
                  [&] { download::get_text({.url = faulty.server.url("/bytes/1001/1")}, settings); });
    check_refused(Status::io_error, {"404"},
                  [&] { download::get_text({.url = faulty.server.url("/none")}, settings); });
    const auto text = download::get_text({.url = faulty.server.url("/bytes/9/1?times=1&cut=3")}, settings);
    CHECK(text.body == faulty.server.bytes(9));
    CHECK(text.headers.at("etag") == "\"9-0\"");
    check_refused(Status::cancelled, {"stopped"}, [&] {
        download::get_text({.url = faulty.server.url("/bytes/1000/1?slow=100")}, settings,
                           [](const download::Progress&) { return false; });
    });
}

}  // namespace faults_test
