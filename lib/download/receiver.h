// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "download/answer.h"

namespace dragoman::download {

enum class Next { go_on, done, again };

// What becomes of the answer to one request. Functions throw what ends all requests that run side by side.
class Receiver {
public:
    virtual ~Receiver() = default;

    // Everything is there already: nothing is asked.
    virtual bool complete() const { return false; }
    // Lines besides the caller's, for each try.
    virtual std::vector<std::string> request_lines() = 0;
    // Bytes may come packed, and are unpacked before take().
    virtual bool may_be_packed() const { return false; }
    // The head of an answer of 200 to 299, or 416. go_on: its bytes follow; done: no need of them; again: ask once more.
    virtual Next answered(const Answer& answer) = 0;
    virtual bool has_room() { return true; }
    virtual void take(std::span<const std::byte> bytes) = 0;
    // All that this answer had has come. again: something is missing.
    virtual Next ended() = 0;

    // After done: whether all that is left to do has been done meanwhile, and its checks, which throw.
    virtual bool settled() { return true; }
    virtual void finish() {}
    // Now and then.
    virtual void idle() {}

    virtual std::string name() const = 0;
    virtual uint64_t done_bytes() const = 0;
    virtual uint64_t total_bytes() const = 0;  // 0: not known
};

}  // namespace dragoman::download
