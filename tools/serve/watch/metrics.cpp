// SPDX-License-Identifier: Apache-2.0
#include "serve/watch/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <tuple>

#include "serve/watch/exposition.h"

namespace serve::watch {
namespace {

// Seconds: from an answer out of memory to a document that waits.
constexpr std::array kBounds = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0};
constexpr std::array kMethods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};

constexpr const char* kDuration = "libretranslate_http_request_duration_seconds";
constexpr const char* kHistogram = "dragoman_http_request_duration_seconds";
constexpr const char* kSentBytes = "dragoman_http_sent_bytes_total";
constexpr std::array kOwnNames = {kDuration, kHistogram, kSentBytes};

// Anybody may send any word as a method; there must be no series for each.
std::string known(const std::string& method) {
    return std::ranges::find(kMethods, method) != kMethods.end() ? method : "other";
}

}  // namespace

struct Metrics::Impl {
    struct Sum {
        std::uint64_t count = 0;
        double seconds = 0;
    };

    struct Histogram {
        std::array<std::uint64_t, kBounds.size()> within{};  // each bucket alone
        Sum sum;
        std::uint64_t sent_bytes = 0;
    };

    struct Value {
        std::string name, type, help;
        std::function<std::vector<Sample>()> samples;
    };

    mutable std::mutex mutex;
    std::map<std::tuple<std::string, std::string, int>, Sum> requests;  // endpoint, method, status
    std::map<std::string, Histogram> endpoints;
    std::vector<Value> values;

    void write_requests(std::string& text) const {
        write_head(text, kDuration, "summary", "Duration of HTTP requests in seconds");
        for (const auto& [key, sum] : requests) {
            const Labels labels = {{"endpoint", std::get<0>(key)},
                                   {"method", std::get<1>(key)},
                                   {"status", std::to_string(std::get<2>(key))}};
            write_sample(text, fmt::format("{}_count", kDuration), labels, static_cast<double>(sum.count));
            write_sample(text, fmt::format("{}_sum", kDuration), labels, sum.seconds);
        }
    }

    void write_endpoints(std::string& text) const {
        write_head(text, kHistogram, "histogram", "Duration of HTTP requests in seconds, by endpoint");
        for (const auto& [endpoint, histogram] : endpoints) {
            std::uint64_t count = 0;
            for (std::size_t i = 0; i < kBounds.size(); ++i) {
                count += histogram.within[i];
                write_sample(text, fmt::format("{}_bucket", kHistogram),
                             {{"endpoint", endpoint}, {"le", fmt::format("{}", kBounds[i])}},
                             static_cast<double>(count));
            }
            const double all = static_cast<double>(histogram.sum.count);
            write_sample(text, fmt::format("{}_bucket", kHistogram), {{"endpoint", endpoint}, {"le", "+Inf"}}, all);
            write_sample(text, fmt::format("{}_sum", kHistogram), {{"endpoint", endpoint}}, histogram.sum.seconds);
            write_sample(text, fmt::format("{}_count", kHistogram), {{"endpoint", endpoint}}, all);
        }
        write_head(text, kSentBytes, "counter", "Bytes of answers, by endpoint");
        for (const auto& [endpoint, histogram] : endpoints)
            write_sample(text, kSentBytes, {{"endpoint", endpoint}}, static_cast<double>(histogram.sent_bytes));
    }
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

void Metrics::finished(const std::string& endpoint, const std::string& method, int status,
                       std::chrono::nanoseconds taken, std::uint64_t sent_bytes) {
    const double seconds = std::chrono::duration<double>(taken).count();
    const std::lock_guard lock(impl_->mutex);
    Impl::Sum& sum = impl_->requests[{endpoint, known(method), status}];
    ++sum.count;
    sum.seconds += seconds;
    Impl::Histogram& histogram = impl_->endpoints[endpoint];
    const auto bound = std::ranges::lower_bound(kBounds, seconds);
    if (bound != kBounds.end()) ++histogram.within[static_cast<std::size_t>(bound - kBounds.begin())];
    ++histogram.sum.count;
    histogram.sum.seconds += seconds;
    histogram.sent_bytes += sent_bytes;
}

void Metrics::add(const std::string& name, const std::string& type, const std::string& help,
                  std::function<double()> value) {
    add_all(name, type, help, [value = std::move(value)]() -> std::vector<Sample> {
        try {
            return {{{}, value()}};
        } catch (const std::exception&) {
            return {{{}, std::numeric_limits<double>::quiet_NaN()}};
        }
    });
}

void Metrics::add_all(const std::string& name, const std::string& type, const std::string& help,
                      std::function<std::vector<Sample>()> samples) {
    if (!is_metric_name(name)) throw std::invalid_argument("'" + name + "' is no name of a metric");
    if (type != "counter" && type != "gauge")
        throw std::invalid_argument(name + ": the type '" + type + "' is neither counter nor gauge");
    const std::lock_guard lock(impl_->mutex);
    if (std::ranges::find(kOwnNames, name) != kOwnNames.end() ||
        std::ranges::find(impl_->values, name, &Impl::Value::name) != impl_->values.end())
        throw std::invalid_argument(name + ": the name is taken");
    impl_->values.push_back({name, type, help, std::move(samples)});
}

std::string Metrics::text() const {
    std::string text;
    std::vector<Impl::Value> values;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->write_requests(text);
        impl_->write_endpoints(text);
        values = impl_->values;
    }
    // Without the lock: these look into other parts of the service, which may be finishing a request.
    for (const Impl::Value& value : values) {
        write_head(text, value.name, value.type, value.help);
        std::vector<Sample> samples;
        try {
            samples = value.samples();
        } catch (const std::exception&) {  // the others are still told; that it has no sample is what can be seen of it
        }
        for (const Sample& sample : samples) write_sample(text, value.name, sample.labels, sample.value);
    }
    return text;
}

}  // namespace serve::watch
