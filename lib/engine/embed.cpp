// SPDX-License-Identifier: Apache-2.0
#include "engine/embed.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/failure.h"
#include "base/side_by_side.h"

namespace dragoman::engine {
namespace {

using Inputs = std::span<const std::vector<uint32_t>>;
using Numbers = std::vector<std::size_t>;

constexpr std::size_t kLeastTokens = 4096, kMostTokens = 1u << 17;  // of a piece, unless one input has more
constexpr std::size_t kPieces = 4;  // for each device, so that one that is slow holds up little

// One device for some inputs. Where it is lost they go on when it is open again.
class OnDevice {
public:
    OnDevice(const Replicas& replicas, std::size_t replica, const Embedder::Wanted& wanted)
        : replicas_(replicas), replica_(replica), wanted_(wanted), member_(replicas.ready(replica)) {}

    // Gives `sink` the numbers of all inputs. Throws device_lost with those in `left` that have no vectors.
    void run(Inputs inputs, const Numbers& which, const Embedder::Sink& sink, Numbers& left) {
        left = which;
        std::vector<std::vector<uint32_t>> some;
        for (const std::size_t number : which) some.push_back(inputs[number]);
        std::vector<bool> done(which.size(), false);
        bool in_sink = false;
        try {
            member_.embedder->run(some, wanted_, [&](std::size_t place, std::span<const float> values) {
                done[place] = in_sink = true;
                sink(which[place], values);
                in_sink = false;
            });
            left.clear();
        } catch (const Error& error) {
            if (error.status() != Status::device_lost || in_sink) throw;
            left.clear();
            for (std::size_t i = 0; i < which.size(); ++i)
                if (!done[i]) left.push_back(which[i]);
            why_ = error.what();
            throw;
        }
    }

    void renew() {
        const std::shared_ptr<OpenDevice> lost = member_.model->on();
        member_ = {};  // its memory may be needed
        member_ = replicas_.ready(replica_, lost, why_);
    }

private:
    const Replicas& replicas_;
    const std::size_t replica_;
    const Embedder::Wanted& wanted_;
    Replicas::Member member_;
    std::string why_;
};

// One device; where it is lost for good, the next one.
void in_turn(const Replicas& replicas, Inputs inputs, const Embedder::Wanted& wanted, const Embedder::Sink& sink,
             Numbers left) {
    const std::size_t first = replicas.next_in_turn();
    bool in_sink = false;
    const auto told = [&](std::size_t number, std::span<const float> values) {
        in_sink = true;
        sink(number, values);
        in_sink = false;
    };
    const auto is_lost = [&](const Error& error) { return error.status() == Status::device_lost && !in_sink; };
    for (std::size_t tried = 1;; ++tried) {
        try {
            OnDevice device(replicas, (first + tried - 1) % replicas.count(), wanted);
            while (!left.empty()) {
                try {
                    device.run(inputs, Numbers(left), told, left);
                } catch (const Error& error) {
                    if (!is_lost(error)) throw;
                    device.renew();
                }
            }
            return;
        } catch (const Error& error) {
            if (!is_lost(error) || tried == replicas.count()) throw;
        }
    }
}

std::size_t tokens_of(Inputs inputs, const Numbers& which) {
    return std::accumulate(which.begin(), which.end(), std::size_t(0),
                           [&](std::size_t sum, std::size_t number) { return sum + inputs[number].size(); });
}

// The longest inputs first.
std::deque<Numbers> pieces_of(Inputs inputs, std::size_t devices) {
    Numbers order(inputs.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return inputs[i].size(); });
    const std::size_t most = std::clamp(tokens_of(inputs, order) / (kPieces * devices), kLeastTokens, kMostTokens);
    std::deque<Numbers> pieces;
    std::size_t tokens = 0;
    for (const std::size_t number : order) {
        if (pieces.empty() || tokens + inputs[number].size() > most) pieces.emplace_back(), tokens = 0;
        pieces.back().push_back(number);
        tokens += inputs[number].size();
    }
    return pieces;
}

// What threads of devices and the caller's have in common.
class Spread {
public:
    Spread(const Replicas& replicas, Inputs inputs, const Embedder::Wanted& wanted, std::deque<Numbers> pieces)
        : replicas_(replicas), inputs_(inputs), wanted_(wanted), pieces_(std::move(pieces)),
          workers_(replicas.count()) {}

    // Takes vectors to the caller until all threads have ended.
    void deliver(const Embedder::Sink& sink) {
        for (;;) {
            std::deque<Found> found;
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return !found_.empty() || workers_ == 0; });
                if (found_.empty()) break;
                found.swap(found_);
            }
            try {
                for (const Found& one : found) sink(one.number, one.values);
            } catch (...) {
                stop(Failure::current());
                throw;
            }
        }
        if (failure_) std::rethrow_exception(failure_.exception());
    }

    void work(std::size_t replica) {
        try {
            OnDevice device(replicas_, replica, wanted_);
            while (next(device)) {}
        } catch (const Error& error) {
            // The others go on without it.
            end(error.status() == Status::device_lost ? Failure() : Failure::current(), Failure::current());
            return;
        } catch (...) {
            return end(Failure::current(), {});
        }
        end({}, {});
    }

    void stop(const Failure& failure) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_.set(failure);
        stopped_ = true;
        changed_.notify_all();
    }

private:
    struct Found {
        std::size_t number;
        std::vector<float> values;
    };

    bool next(OnDevice& device) {
        Numbers piece, left;
        {
            std::unique_lock lock(mutex_);
            // What another device has may come back.
            changed_.wait(lock, [&] { return stopped_ || !pieces_.empty() || at_work_ == 0; });
            if (stopped_ || pieces_.empty()) return false;
            piece = std::move(pieces_.front());
            pieces_.pop_front();
            ++at_work_;
        }
        try {
            device.run(
                inputs_, piece,
                [&](std::size_t number, std::span<const float> values) {
                    add({number, {values.begin(), values.end()}});
                },
                left);
        } catch (const Error& error) {
            give_back(std::move(left));
            if (error.status() != Status::device_lost) throw;
            device.renew();
            return true;
        } catch (...) {
            give_back(std::move(left));
            throw;
        }
        give_back({});
        return true;
    }

    void add(Found found) {
        const std::lock_guard lock(mutex_);
        if (stopped_) fail(Status::cancelled, "vectors: the call has ended");
        found_.push_back(std::move(found));
        changed_.notify_all();
    }

    void give_back(Numbers left) {
        const std::lock_guard lock(mutex_);
        if (!left.empty()) pieces_.push_front(std::move(left));
        --at_work_;
        changed_.notify_all();
    }

    // A thread ends. `lost`: why there is no vector of what is left, if this was the last one.
    void end(const Failure& failure, const Failure& lost) {
        const std::lock_guard lock(mutex_);
        --workers_;
        if (failure && !failure_) failure_.set(failure), stopped_ = true;
        if (workers_ == 0 && !pieces_.empty() && !failure_) failure_.set(lost);
        changed_.notify_all();
    }

    const Replicas& replicas_;
    const Inputs inputs_;
    const Embedder::Wanted& wanted_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Numbers> pieces_;
    std::deque<Found> found_;
    std::size_t workers_, at_work_ = 0;
    bool stopped_ = false;
    Failure failure_;
};

}  // namespace

void embed(const Replicas& replicas, std::span<const std::vector<uint32_t>> inputs, const Embedder::Wanted& wanted,
           const Embedder::Sink& sink) {
    if (inputs.empty()) return;
    std::deque<Numbers> pieces = pieces_of(inputs, replicas.count());
    if (pieces.size() == 1 || replicas.count() == 1) {
        Numbers all;
        for (const Numbers& piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
        return in_turn(replicas, inputs, wanted, sink, std::move(all));
    }
    Spread spread(replicas, inputs, wanted, std::move(pieces));
    side_by_side("vectors", replicas.count() + 1, [&](std::size_t number) {
        if (number == 0) spread.deliver(sink);
        else spread.work(number - 1);
    });
}

}  // namespace dragoman::engine
