// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// The room of watching: metrics and logs, without texts and keys.
namespace serve::watch {

// A value with its labels: {{"model", "firefox:de-en"}}.
struct Sample {
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;
};

// Prometheus' text format, version 0.0.4. Any thread.
class Metrics {
public:
    Metrics();
    ~Metrics();
    // `endpoint`: the route's path pattern, never what a client wrote.
    void finished(const std::string& endpoint, const std::string& method, int status, std::chrono::nanoseconds taken,
                  std::uint64_t sent_bytes);
    // A value asked for when metrics are written; `type`: "counter" or "gauge". One that throws is written as NaN.
    // Throws std::invalid_argument for a name or type that the format does not have, or a name that is taken.
    void add(const std::string& name, const std::string& type, const std::string& help, std::function<double()> value);
    // The same with labels; one that throws has no samples.
    void add_all(const std::string& name, const std::string& type, const std::string& help,
                 std::function<std::vector<Sample>()> samples);
    std::string text() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::watch
