// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "serve/http/message.h"

namespace serve::http {

// One request and the way to answer it, from any thread, at any time. An exchange that goes without an answer sends 500.
// A client that has gone is no error: what is sent then is dropped.
class Exchange {
public:
    virtual ~Exchange() = default;
    virtual const Request& request() const = 0;
    // The whole answer. Once, and not after begin().
    virtual void send(Response response) = 0;
    // An answer in pieces (chunked; server-sent events): `head` without a body, then pieces, then the end.
    virtual void begin(Response head) = 0;
    // False: the client has gone, or leaves so much unread that the piece was dropped (it can be asked again later).
    virtual bool write(std::string piece) = 0;
    // With the last piece, which is never dropped: a client that reads slowly gets it, too, and one that reads nothing
    // loses its connection.
    virtual void end(std::string last) = 0;
    // Called once when the client goes before the answer is complete; at once where it has. Replaces the last one.
    virtual void on_gone(std::function<void()> callback) = 0;
    virtual bool gone() const = 0;
};

}  // namespace serve::http
