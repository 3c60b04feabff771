// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/bio.h>

#include "serve/http/transport.h"

namespace serve::http {

// OpenSSL's way to a socket of Asio. Its own one would raise SIGPIPE when a client has gone. The socket must outlive it.
BIO* new_socket_bio(Socket& socket);

}  // namespace serve::http
