// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/http/server.h"
#include "serve/router.h"
#include "serve/services.h"

namespace serve {

// Between the server and the handlers: finds the route, lets the guard look, reads the body, writes problems.
class Service : public http::Application {
public:
    Service(const Router& router, Services& services) : router_(router), services_(services) {}

    http::Admission admit(const http::Request& head) override;
    void handle(std::shared_ptr<http::Exchange> exchange) override;
    http::Response problem(const http::Request& head, int status, const std::string& message) override;
    void finished(const http::Request& request, int status, std::uint64_t sent_bytes,
                  std::chrono::nanoseconds taken) override;
    void fault(const http::Request* request, const std::string& what) override;

private:
    // What a head says of its body; throws Problem for what it is refused for.
    void check_head(const http::Request& head, const Router::Found& found, http::Admission& admission);
    void check_sender(const http::Request& head, const Router::Found& found, http::Admission& admission);
    void run(const Route& route, Call& call);
    const Router& router_;
    Services& services_;
};

}  // namespace serve
