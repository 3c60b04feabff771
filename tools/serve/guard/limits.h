// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace serve::guard {

using LimitClock = std::chrono::steady_clock;

struct Window {
    std::int64_t most = -1;  // requests; -1: no limit
    std::chrono::seconds length{60};
    const char* name = "minute";
};

struct Exceeded {
    Window window;
    std::chrono::seconds wait{1};  // until one more has room, if nothing else comes
};

// Counts requests of many askers in moving windows, each cut into twelve parts: in no time as long as a window are
// there more requests than it allows, and a place is free again at most a twelfth later than it could be. Any thread.
class Limits {
public:
    explicit Limits(std::size_t most_askers = 100'000) : most_(most_askers) {}
    // Counts one request of `who`, or says which window has no room for it; then nothing is counted. `windows` of one
    // asker are always the same, at most three.
    std::optional<Exceeded> take(const std::string& who, const std::vector<Window>& windows,
                                 LimitClock::time_point now);
    std::size_t askers() const;

private:
    static constexpr std::size_t kParts = 12;
    struct Count {
        std::int64_t part = 0;  // the newest one, counted from the clock's beginning
        std::array<std::uint32_t, kParts + 1> requests{};  // of `part` and the ones before; places wrap around
    };
    struct Asker {
        std::list<std::string>::iterator place;
        std::vector<Count> counts;
    };
    Asker& find(const std::string& who, std::size_t windows);
    static std::uint64_t move(Count& count, std::int64_t part);
    static std::chrono::nanoseconds length_of(const Window& window) {
        return std::chrono::nanoseconds(window.length) / kParts;
    }
    static Exceeded exceeded(const Count& count, const Window& window, std::uint64_t counted,
                             LimitClock::time_point now);

    const std::size_t most_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Asker> askers_;
    std::list<std::string> order_;  // who asked last comes first; beyond the limit the last is forgotten
};

// Who tries keys: addresses from which many different wrong ones came. Any thread.
class Guesses {
public:
    // Seconds for which nothing with a key is taken from there; nothing: it may go on.
    std::optional<std::chrono::seconds> blocked(const std::string& who, LimitClock::time_point now) const;
    // The same wrong key again is a client with an old setting, and no guess.
    void wrong(const std::string& who, const std::string& key, LimitClock::time_point now);

private:
    struct Guesser {
        std::vector<std::pair<std::size_t, LimitClock::time_point>> keys;  // hashes
        LimitClock::time_point blocked_until{};
        std::list<std::string>::iterator place;
    };
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Guesser> guessers_;
    std::list<std::string> order_;  // who was wrong last comes first
};

}  // namespace serve::guard
