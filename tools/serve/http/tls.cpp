// SPDX-License-Identifier: Apache-2.0
#include "serve/http/tls.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <climits>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/os/path_text.h"
#include "serve/http/tls_socket.h"

namespace serve::http {
namespace {

std::string last_tls_error() {
    const unsigned long code = ERR_get_error();
    ERR_clear_error();
    char text[256] = "unknown error";
    if (code != 0) ERR_error_string_n(code, text, sizeof text);
    return text;
}

// HTTP/1.1 where a client names protocols.
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_length, const unsigned char* in,
                    unsigned int in_length, void*) {
    static constexpr unsigned char kOurs[] = "\x08http/1.1";
    unsigned char* chosen = nullptr;
    if (SSL_select_next_proto(&chosen, out_length, kOurs, sizeof kOurs - 1, in, in_length) != OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

class TlsTransport final : public Transport {
public:
    TlsTransport(Socket socket, SSL_CTX* context) : Transport(std::move(socket)), ssl_(SSL_new(context), SSL_free) {
        BIO* bio = ssl_ ? new_socket_bio(socket_) : nullptr;
        if (!bio) throw std::runtime_error("no memory for a TLS connection: " + last_tls_error());
        SSL_set_bio(ssl_.get(), bio, bio);
        SSL_set_accept_state(ssl_.get());
    }

    IoResult read(char* bytes, std::size_t size) override {
        ERR_clear_error();
        return result(SSL_read(ssl_.get(), bytes, static_cast<int>(std::min<std::size_t>(size, INT_MAX))));
    }

    IoResult write(const char* bytes, std::size_t size) override {
        ERR_clear_error();
        return result(SSL_write(ssl_.get(), bytes, static_cast<int>(std::min<std::size_t>(size, INT_MAX))));
    }

    void end_sending() override {
        ERR_clear_error();
        if (!failed_ && ready()) SSL_shutdown(ssl_.get());
        ERR_clear_error();
        boost::system::error_code ignored;
        socket_.shutdown(Socket::shutdown_send, ignored);
    }

    bool secure() const override { return true; }
    bool ready() const override { return SSL_is_init_finished(ssl_.get()) != 0; }

private:
    IoResult result(int count) {
        if (count > 0) return {Io::done, static_cast<std::size_t>(count)};
        switch (SSL_get_error(ssl_.get(), count)) {
            case SSL_ERROR_WANT_READ: return {Io::wait_read, 0};
            case SSL_ERROR_WANT_WRITE: return {Io::wait_write, 0};
            case SSL_ERROR_ZERO_RETURN: return {Io::end, 0};
            default: failed_ = true; break;
        }
        // A client that closes its socket without saying so in TLS: bodies have lengths of their own, so nothing is cut short.
        const bool ended = ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
        ERR_clear_error();
        return {ended ? Io::end : Io::failed, 0};
    }

    std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
    bool failed_ = false;
};

}  // namespace

TlsContext::TlsContext(const std::filesystem::path& certificate, const std::filesystem::path& private_key)
    : context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
    if (!context_) throw std::runtime_error("TLS cannot be set up: " + last_tls_error());
    SSL_CTX* context = context_.get();
    ERR_clear_error();
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(context,
                     SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
    const std::string certificate_name = dragoman::text_of(certificate);
    const std::string key_name = dragoman::text_of(private_key.empty() ? certificate : private_key);
    if (SSL_CTX_use_certificate_chain_file(context, certificate_name.c_str()) != 1)
        throw std::runtime_error(fmt::format("cannot read the certificate {}: {}", certificate_name, last_tls_error()));
    if (SSL_CTX_use_PrivateKey_file(context, key_name.c_str(), SSL_FILETYPE_PEM) != 1)
        throw std::runtime_error(fmt::format("cannot read the private key {}: {}", key_name, last_tls_error()));
    if (SSL_CTX_check_private_key(context) != 1)
        throw std::runtime_error(fmt::format("the private key {} is not that of the certificate {}", key_name,
                                             certificate_name));
}

std::unique_ptr<Transport> TlsContext::transport(Socket socket) const {
    return std::make_unique<TlsTransport>(std::move(socket), context_.get());
}

}  // namespace serve::http
