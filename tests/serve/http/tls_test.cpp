// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <csignal>
#include <memory>
#include <string>
#include <thread>

#include "temp_dir.h"
#include "test_application.h"

namespace tls_test {

using namespace dragoman::test;
using namespace serve::http;

template <auto Free>
struct Freer {
    template <typename T>
    void operator()(T* object) const {
        Free(object);
    }
};
template <typename T, auto Free>
using Owned = std::unique_ptr<T, Freer<Free>>;

// A certificate that signs itself, and its key, as PEM.
void make_certificate(const TempDir& folder, const std::string& name) {
    const Owned<EVP_PKEY, EVP_PKEY_free> key(EVP_EC_gen("P-256"));
    const Owned<X509, X509_free> certificate(X509_new());
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get()));
    REQUIRE(X509_sign(certificate.get(), key.get(), EVP_sha256()) != 0);
    const auto write = [&](const std::string& file, const auto& fill) {
        const Owned<BIO, BIO_free> bio(BIO_new(BIO_s_mem()));
        REQUIRE(fill(bio.get()) == 1);
        char* bytes = nullptr;
        const long size = BIO_get_mem_data(bio.get(), &bytes);
        folder.write(file, {bytes, static_cast<std::size_t>(size)});
    };
    write(name + ".crt", [&](BIO* bio) { return PEM_write_bio_X509(bio, certificate.get()); });
    write(name + ".key",
          [&](BIO* bio) { return PEM_write_bio_PrivateKey(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
}

struct TlsClient {
    SocketClient socket;
    Owned<SSL_CTX, SSL_CTX_free> context{SSL_CTX_new(TLS_client_method())};
    Owned<SSL, SSL_free> ssl;
    bool connected = false;

    TlsClient(std::uint16_t port, int max_version = 0) : socket(port) {
        std::signal(SIGPIPE, SIG_IGN);  // this client's own way to its socket raises it
        if (max_version != 0) {
            SSL_CTX_set_min_proto_version(context.get(), TLS1_VERSION);
            SSL_CTX_set_max_proto_version(context.get(), max_version);
            SSL_CTX_set_security_level(context.get(), 0);
        }
        ssl.reset(SSL_new(context.get()));
        SSL_set_alpn_protos(ssl.get(), reinterpret_cast<const unsigned char*>("\x02h2\x08http/1.1"), 12);
        SSL_set_fd(ssl.get(), socket.handle());
        connected = SSL_connect(ssl.get()) == 1;
        ERR_clear_error();
    }
    std::string name() const {
        const Owned<X509, X509_free> certificate(SSL_get1_peer_certificate(ssl.get()));
        char text[100] = "";
        X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, text, sizeof text);
        return text;
    }
    void send(const std::string& bytes) {
        REQUIRE(SSL_write(ssl.get(), bytes.data(), static_cast<int>(bytes.size())) > 0);
    }
    std::string read_to_end() {
        std::string all;
        char bytes[4096];
        for (int count = 0; (count = SSL_read(ssl.get(), bytes, sizeof bytes)) > 0;)
            all.append(bytes, static_cast<std::size_t>(count));
        CHECK(SSL_get_shutdown(ssl.get()) == SSL_RECEIVED_SHUTDOWN);
        return all;
    }
};

TEST_CASE("TLS, and certificates that are read again") {
    TempDir folder;
    make_certificate(folder, "first");
    make_certificate(folder, "second");
    TestApplication application;
    application.max_body_bytes = 4 << 20;
    application.handlers["/secure"] = [](const std::shared_ptr<Exchange>& exchange) {
        exchange->send({200, "text/plain", exchange->request().secure ? "secure" : "plain", {}, {}, false});
    };
    ServerOptions options;
    options.certificate = folder.path() / "first.crt";
    options.private_key = folder.path() / "first.key";
    RunningServer running(application, options);
    CHECK(running.server->address() == "https://127.0.0.1:" + std::to_string(running.server->port()));
    {
        TlsClient client(running.server->port());
        REQUIRE(client.connected);
        CHECK(client.name() == "first");
        const unsigned char* protocol = nullptr;
        unsigned length = 0;
        SSL_get0_alpn_selected(client.ssl.get(), &protocol, &length);
        CHECK(std::string(reinterpret_cast<const char*>(protocol), length) == "http/1.1");
        client.send(get("/secure") + get("/echo") + get("/secure", "Connection: close\r\n"));
        const std::string all = client.read_to_end();
        CHECK(all.find("secure") < all.find("GET /echo"));
        CHECK(all.find("GET /echo") < all.rfind("secure"));
    }
    {
        TlsClient client(running.server->port());
        const std::string body(3'000'000, 'x');
        std::thread sender([&] { client.send(post("/echo", body, "Connection: close\r\n")); });
        sender.join();
        CHECK((client.read_to_end().find(body) != std::string::npos));
    }
    std::filesystem::copy_file(folder.path() / "second.crt", options.certificate,
                               std::filesystem::copy_options::overwrite_existing);
    CHECK_THROWS_WITH(running.server->reload_certificate(), doctest::Contains("first.key"));
    CHECK(TlsClient(running.server->port()).name() == "first");
    std::filesystem::copy_file(folder.path() / "second.key", options.private_key,
                               std::filesystem::copy_options::overwrite_existing);
    running.server->reload_certificate();
    CHECK(TlsClient(running.server->port()).name() == "second");
}

TEST_CASE("old versions of TLS, and clients that speak none") {
    TempDir folder;
    make_certificate(folder, "a");
    TestApplication application;
    ServerOptions options;
    options.certificate = folder.path() / "a.crt";
    options.private_key = folder.path() / "a.key";
    options.head_time = std::chrono::milliseconds(300);
    RunningServer running(application, options);
    CHECK_FALSE(TlsClient(running.server->port(), TLS1_1_VERSION).connected);
    CHECK(TlsClient(running.server->port(), TLS1_2_VERSION).connected);
    auto plain = running.connect();
    plain.send(get("/echo"));
    CHECK(plain.read_to_end().find("HTTP/1.1 200") == std::string::npos);
    auto silent = running.connect();  // no handshake in the time for a head
    CHECK(silent.is_ended());
    CHECK(soon([&] { return running.server->counts().connections == 0; }));
}

TEST_CASE("certificates that are none") {
    TempDir folder;
    make_certificate(folder, "a");
    folder.write("text", "no certificate");
    TestApplication application;
    ServerOptions options;
    options.port = 0;
    options.certificate = folder.path() / "none.crt";
    CHECK_THROWS_WITH(Server(options, application), doctest::Contains("none.crt"));
    options.certificate = folder.path() / "a.crt";
    options.private_key = folder.path() / "text";
    CHECK_THROWS_WITH(Server(options, application), doctest::Contains("text"));
}

}  // namespace tls_test
