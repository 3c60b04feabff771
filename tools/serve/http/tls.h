// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "serve/http/transport.h"

struct ssl_ctx_st;

namespace serve::http {

// Certificate and key for new connections. OpenSSL is called directly: its buffers can be given back while a connection is
// idle, and Asio's stream keeps 34 KiB for each.
class TlsContext {
public:
    // Throws std::runtime_error naming the file and the reason.
    TlsContext(const std::filesystem::path& certificate, const std::filesystem::path& private_key);
    std::unique_ptr<Transport> transport(Socket socket) const;

private:
    std::shared_ptr<ssl_ctx_st> context_;
};

}  // namespace serve::http
