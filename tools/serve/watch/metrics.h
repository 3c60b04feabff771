// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

// The room of watching: metrics and logs, without texts and keys.
namespace serve::watch {

// Prometheus' text format, version 0.0.4. Any thread.
class Metrics {
public:
    Metrics();
    ~Metrics();
    // `endpoint`: the route's path pattern, never what a client wrote.
    void finished(const std::string& endpoint, const std::string& method, int status, std::chrono::nanoseconds taken,
                  std::uint64_t sent_bytes);
    void in_flight(int change);
    // A value asked for when metrics are written; `type`: "counter" or "gauge".
    void add(const std::string& name, const std::string& type, const std::string& help,
             std::function<double()> value);
    std::string text() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::watch
