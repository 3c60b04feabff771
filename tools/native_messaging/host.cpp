// SPDX-License-Identifier: Apache-2.0
#include "native_messaging/host.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <variant>

#include "native_messaging/frames.h"

namespace native_messaging {

Host::Host(serve::work::Models& models, serve::work::Translations& translations, std::ostream& out,
           const HostOptions& options)
    : models_(models), translations_(translations), out_(out), options_(options),
      writer_(std::numeric_limits<std::size_t>::max()), network_(options.most_at_work) {}

Host::~Host() {
    ended_ = true;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return at_work_ == 0; });
}

void Host::begin() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return at_work_ < options_.most_at_work; });
    ++at_work_;
}

bool Host::run(std::istream& in) {
    in.tie(nullptr);  // std::cin would flush std::cout, which another thread writes to
    try {
        while (auto frame = read_frame(in)) {
            begin();
            if (frame->problem.empty()) handle(frame->text);
            else fail(-1, frame->problem);
        }
        return true;
    } catch (const BrokenFrame& broken) {
        begin();
        fail(-1, broken.why);
        return false;
    }
}

void Host::handle(const std::string& text) {
    Json id = -1;
    try {
        const Request request = read_request(text);
        id = request.id;
        std::visit([&](const auto& command) { start(request.id, command); }, request.command);
    } catch (const BadRequest& bad) {
        fail(bad.id, bad.what());
    } catch (const std::exception& error) {
        fail(id, error.what());
    }
}

void Host::answer(const Json& id, Json data) { send({{"id", id}, {"success", true}, {"data", std::move(data)}}, true); }

void Host::fail(const Json& id, const std::string& why) {
    send({{"id", id}, {"success", false}, {"error", why}}, true);
}

void Host::send(const Json& message, bool last) {
    std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > kMostAnswerBytes)
        text = Json{{"id", message.at("id")},
                    {"success", false},
                    {"error", fmt::format("the answer has {} bytes, browsers take {}", text.size(), kMostAnswerBytes)}}
                   .dump();
    writer_.post([this, last, text = std::move(text)] {
        write_frame(out_, text);
        if (!last) return;
        const std::lock_guard lock(mutex_);
        --at_work_;
        changed_.notify_all();
    });
}

}  // namespace native_messaging
