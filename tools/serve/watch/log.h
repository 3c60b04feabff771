// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/json.h"

namespace serve::watch {

enum class LogForm { text, json, none };
enum class LogLevel { error, warning, info, debug };

// To standard error, a line each; never waits for a reader for long, never tears lines of two threads.
class Log {
public:
    Log(LogForm form, LogLevel level);
    // `facts` are a JSON object: {"request": "...", "status": 200}. No texts of clients, no keys.
    void write(LogLevel level, std::string_view message, const Json& facts = Json::object());
    LogForm form() const { return form_; }

private:
    LogForm form_;
    LogLevel level_;
};

}  // namespace serve::watch
