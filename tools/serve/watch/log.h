// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/json.h"

namespace serve::watch {

enum class LogForm { text, json, none };
enum class LogLevel { error, warning, info, debug };

// To standard error, a line each; never waits for a reader, never tears lines of two threads. Where nobody reads what
// is written, 1 MiB of lines is kept, and the next line after it says how many were lost.
class Log {
public:
    using Sink = std::function<void(const std::string& line)>;  // gets a whole line with its end
    Log(LogForm form, LogLevel level);
    Log(LogForm form, LogLevel level, Sink sink);
    ~Log();  // gives the reader a second for what is left
    // `facts` are a JSON object: {"request": "...", "status": 200}. No texts of clients, no keys. Of facts named
    // target, path, query, url or referer, the values of parameters that hold keys are left out.
    void write(LogLevel level, std::string_view message, const Json& facts = Json::object());
    LogForm form() const { return form_; }

private:
    LogForm form_;
    LogLevel level_;
    struct Queue;
    std::shared_ptr<Queue> queue_;
};

// A line with its end, without control characters but that one.
std::string log_line(LogForm form, std::chrono::system_clock::time_point time, LogLevel level, std::string_view message,
                     const Json& facts);

// "/translate?q=x&api_key=***": without the values of parameters that hold keys, and without name and key before a
// host.
std::string redacted(std::string_view target);

}  // namespace serve::watch
