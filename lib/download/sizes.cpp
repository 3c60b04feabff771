// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/error.h"
#include "download/exchange.h"
#include "download/transfer.h"

namespace dragoman::download {
namespace {

constexpr int kSideBySide = 4;

// Asks for the first byte, since not every server answers HEAD, and takes none.
class SizeReceiver : public Receiver {
public:
    explicit SizeReceiver(const Request& request) : request_(request) {}

    std::vector<std::string> request_lines() override { return {"Range: bytes=0-0"}; }

    Next answered(const Answer& answer) override {
        const auto total = answer.status == 200 ? answer.length()
                                                : ContentRange::parse(answer.header("content-range")).total;
        bytes_ = total.value_or(0);
        return Next::done;
    }

    void take(std::span<const std::byte>) override {}
    Next ended() override { return Next::done; }
    std::string name() const override { return Url(request_.url).shown(); }
    uint64_t done_bytes() const override { return 0; }
    uint64_t total_bytes() const override { return 0; }
    uint64_t bytes() const { return bytes_; }

private:
    const Request& request_;
    uint64_t bytes_ = 0;
};

}  // namespace

std::vector<uint64_t> get_sizes(const std::vector<Request>& requests, const Settings& settings,
                                const ProgressFn& progress) {
    const Waker waker;
    std::vector<std::unique_ptr<SizeReceiver>> receivers;
    std::vector<Asked> asked;
    for (const Request& request : requests) {
        receivers.push_back(std::make_unique<SizeReceiver>(request));
        asked.push_back({&request, receivers.back().get()});
    }
    try {
        exchange(waker, asked, settings, kSideBySide, progress);
    } catch (const Error& error) {
        if (error.status() == Status::cancelled) throw;
    }
    std::vector<uint64_t> sizes;
    for (const auto& receiver : receivers) sizes.push_back(receiver->bytes());
    return sizes;
}

}  // namespace dragoman::download
