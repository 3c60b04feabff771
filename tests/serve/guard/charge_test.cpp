// SPDX-License-Identifier: Apache-2.0
#include "serve/charge.h"

#include <doctest/doctest.h>

#include <memory>

#include "serve/guarded_exchange.h"
#include "support/temp_dir.h"

namespace charge_test {
using namespace serve;

// A client that takes everything.
class Client : public http::Exchange {
public:
    explicit Client(bool gone) : gone_(gone) {}
    const http::Request& request() const override { return request_; }
    void send(http::Response) override {}
    void begin(http::Response) override {}
    bool write(std::string) override { return true; }
    void end(std::string) override {}
    void on_gone(std::function<void()>) override {}
    bool gone() const override { return gone_; }

private:
    http::Request request_;
    bool gone_;
};

struct Charged {
    guard::Guard guard{{}};
    Account account{.owner = "anna", .address = "203.0.113.5"};
    std::shared_ptr<GuardedExchange> exchange;

    explicit Charged(bool gone = false)
        : exchange(std::make_shared<GuardedExchange>(std::make_shared<Client>(gone), guard)) {
        guard.charge(account, 5);  // another request
        exchange->charge()->add(account, 30);
        exchange->charge()->add(account, 7);
        CHECK(used() == 42);
    }
    std::uint64_t used() const { return guard.usage(account.owner).used; }
};

http::Response of_status(int status) {
    http::Response response;
    response.status = status;
    return response;
}

TEST_CASE("an answer costs, an error does not") {
    for (const auto& [status, used] : {std::pair{200, 42}, {202, 42}, {400, 5}, {404, 5}, {499, 5}, {503, 5}}) {
        CAPTURE(status);
        Charged charged;
        charged.exchange->send(of_status(status));
        CHECK(charged.used() == std::uint64_t(used));
        charged.exchange->send(of_status(500));  // comes too late, and is not sent
        charged.exchange.reset();
        CHECK(charged.used() == std::uint64_t(used));
    }
}

TEST_CASE("a stream that has begun keeps its costs") {
    Charged charged;
    charged.exchange->begin(of_status(200));
    charged.exchange->send(of_status(500));
    charged.exchange->end("");
    charged.exchange.reset();
    CHECK(charged.used() == 42);
}

TEST_CASE("no answer is an error, unless the client did not wait for it") {
    Charged forgotten, left(true);
    forgotten.exchange.reset();
    CHECK(forgotten.used() == 5);
    left.exchange.reset();
    CHECK(left.used() == 42);
}

TEST_CASE("what a quota refuses is not charged, and what was before it goes back") {
    const dragoman::test::TempDir folder;
    guard::Guard guard({.keys_file = folder.path() / "keys.sqlite"});
    guard::Key key;
    key.characters_per_month = 10;
    http::Request request;
    request.headers = {{"Authorization", "Bearer " + guard.keys()->add(key)}};
    const Account account = guard.enter(request, {.method = "POST", .path = "/", .handler = {}}, Json::object());
    const auto exchange = std::make_shared<GuardedExchange>(std::make_shared<Client>(false), guard);
    exchange->charge()->add(account, 8);
    CHECK_THROWS_AS(exchange->charge()->add(account, 3), Problem);
    CHECK(guard.usage(account.owner).used == 8);
    exchange->send(of_status(429));
    CHECK(guard.usage(account.owner).used == 0);
}

}  // namespace charge_test
