// SPDX-License-Identifier: Apache-2.0
// Servers with certificates of an authority that nobody else knows.
#include <doctest/doctest.h>

#include <fstream>

#include "download/fault_server.h"
#include "support/refused.h"
#include "support/run_program.h"

namespace tls_test {
using namespace dragoman;
using namespace dragoman::test;

namespace {

constexpr const char* kVariables[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"};

// The certificates, and the variables that name who is trusted, as they were before.
struct Certificates {
    Certificates() {
        for (const char* name : kVariables) set_environment(name, nullptr);
        const Run made = run(DRAGOMAN_PYTHON, {DRAGOMAN_CERTIFICATES, folder.path()});
        made_ = made.exit_code == 0;
        CAPTURE(made.err);
        REQUIRE((made_ || made.exit_code == 77));
        if (!made_) MESSAGE("skipped: there is no openssl");
    }
    ~Certificates() {
        for (const char* name : kVariables) set_environment(name, nullptr);
    }
    explicit operator bool() const { return made_; }
    std::string file(const char* name) const { return folder.path() / name; }

    TempDir folder;

private:
    bool made_ = false;
};

std::string text_of(const std::string& url, const std::string& token = "") {
    download::Request request;
    request.url = url;
    request.token = token;
    return download::get_text(request, soon_again()).body;
}

void refused(const std::string& url, std::initializer_list<const char*> parts) {
    check_refused(Status::io_error, parts, [&] { text_of(url, "secret"); });
}

}  // namespace

TEST_CASE("a company's own authority is trusted where a variable names its file, and not otherwise") {
    const Certificates certificates;
    if (!certificates) return;
    const FaultServer server("", certificates.file("good.pem"));
    const std::string url = server.url("/bytes/9/1");
    refused(url, {"/bytes/9/1: ", "certificate", "(1 tries)", "CURL_CA_BUNDLE or SSL_CERT_FILE"});
    for (const char* name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"}) {
        CAPTURE(name);
        set_environment(name, certificates.file("authority.pem").c_str());
        CHECK(text_of(url, "secret").size() == 9);
        CHECK(text_of(server.url("/bytes/9/1", "localhost")).size() == 9);
        set_environment(name, nullptr);
    }
    refused(url, {"certificate"});
    set_environment("CURL_CA_BUNDLE", certificates.file("authority.pem").c_str());
    set_environment("SSL_CERT_FILE", certificates.file("other.pem").c_str());
    CHECK(text_of(url).size() == 9);  // as curl's own program has it, the first one counts
    // What was refused has asked for nothing: the token was never sent to who is not trusted.
    CHECK(server.log_of("/bytes/9/1").size() == 5);
    CHECK(server.log_of("secret").size() == 2);

    set_environment("CURL_CA_BUNDLE", certificates.file("none.pem").c_str());
    refused(url, {"none.pem", "cannot be read"});
    std::ofstream(certificates.file("empty.pem")).flush();
    set_environment("CURL_CA_BUNDLE", certificates.file("empty.pem").c_str());
    refused(url, {"empty.pem", "cannot be read"});
}

TEST_CASE("a folder of certificates by their hashes is trusted, too") {
    const Certificates certificates;
    if (!certificates) return;
    const FaultServer server("", certificates.file("good.pem"));
    const auto place = certificates.folder.path() / "trusted";
    std::filesystem::create_directory(place);
    const Run hash = run("openssl", {"x509", "-hash", "-noout", "-in", certificates.file("authority.pem")});
    std::filesystem::copy_file(certificates.file("authority.pem"),
                               place / (hash.out.substr(0, hash.out.find_last_not_of("\r\n") + 1) + ".0"));
    set_environment("SSL_CERT_DIR", std::string(place).c_str());
    CHECK(text_of(server.url("/bytes/9/1")).size() == 9);
}

TEST_CASE("a certificate of another time or another host is refused, and says what may be wrong") {
    const Certificates certificates;
    if (!certificates) return;
    const FaultServer expired("", certificates.file("expired.pem")), other("", certificates.file("other.pem"));
    set_environment("SSL_CERT_FILE", certificates.file("authority.pem").c_str());
    refused(expired.url("/bytes/9/1"), {"certificate has expired", "clock"});
    refused(other.url("/bytes/9/1"), {"127.0.0.1", "another host's", "proxy"});
}

TEST_CASE("a file over TLS: redirects keep to https, and the token to its host") {
    const Certificates certificates;
    if (!certificates) return;
    const FaultServer server("", certificates.file("good.pem")), plain;
    set_environment("SSL_CERT_FILE", certificates.file("authority.pem").c_str());
    const std::string bytes = server.bytes(100'000);
    const auto get = [&](const std::string& path) {
        download::FileRequest request;
        request.url = server.url(path);
        request.token = "secret";
        request.partial = certificates.folder.path() / "file";
        request.sha256 = sha256_of(bytes);
        return download::get_files({request}, soon_again(), 1, {}).at(0).sha256;
    };
    // Goes on over TLS where a connection was cut.
    CHECK(get("/bytes/100000/1?cut=30000&times=1") == sha256_of(bytes));
    CHECK(server.log_of("Range: bytes=").size() == 1);
    std::filesystem::remove(certificates.folder.path() / "file");
    CHECK(get("/bytes/9/1?to=" + server.url("/bytes/100000/1", "localhost")) == sha256_of(bytes));
    for (const std::string& line : server.log_of("Host: localhost")) CHECK(line.find("secret") == line.npos);
    std::filesystem::remove(certificates.folder.path() / "file");
    check_refused(Status::io_error, {"the server leads from https to http://127.0.0.1"},
                  [&] { get("/bytes/9/1?to=" + plain.url("/bytes/100000/1")); });
    CHECK(plain.log_of("/bytes/").empty());
}

}  // namespace tls_test
