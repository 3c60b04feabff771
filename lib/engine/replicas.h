// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/failure.h"
#include "engine/embedder.h"
#include "engine/model.h"

namespace dragoman::engine {

// The same network on one device or on several, and how much work each device has been given. The network of a lost
// device is given up, and loaded again on that device once it is open again. Safe from any thread.
class Replicas {
public:
    struct Member {
        std::shared_ptr<const Model> model;
        std::shared_ptr<const Embedder> embedder{};  // null: it gives no vectors
    };
    // Reads the network from where it came from, onto the device as it is open now. Throws where that is gone or has
    // changed. Called by a thread for each device; must not own the replicas or the device.
    using Load =
        std::function<Member(std::size_t replica, const std::shared_ptr<Device>&, const std::shared_ptr<OpenDevice>&)>;

    // At least one. Without `load_again` a lost device stays lost.
    explicit Replicas(std::vector<Member> members, Load load_again = {});
    explicit Replicas(std::vector<std::shared_ptr<const Model>> models);
    ~Replicas();
    Replicas(const Replicas&) = delete;

    std::size_t count() const { return devices_.size(); }
    Member at(std::size_t replica) const;  // without a model while the device is lost
    // What all devices have in common.
    const nn::Seq2SeqInfo& info() const { return info_; }
    const nn::NumberTypes& types() const { return types_; }  // on the first device
    Device& device() const { return *devices_.front(); }  // the first one
    bool on_same_devices(const Replicas& other) const { return devices_ == other.devices_; }
    std::string device_names() const;  // each name once, in the order of the devices: "NVIDIA L4, AMD Radeon Pro W7900"
    decode::SearchStats stats() const;  // of all devices, since the model was loaded for the first time

    // A lost device is given no more work.
    bool lost(std::size_t replica) const;
    // Opens a lost device and loads the network again, in the background. `call` comes from any thread, maybe before
    // this returns: with a failure, or when the network can be used. `lost`: where the caller's work was, and `why` it
    // ended; null: the network was given up before. Where another caller was faster, nothing is done twice.
    using Renewed = std::function<void(const Failure&)>;
    void renew(std::size_t replica, const std::shared_ptr<OpenDevice>& lost, const std::string& why,
               Renewed call) const;
    // The member, renewed where it is not there or still on `lost`. Waits; throws device_lost.
    Member ready(std::size_t replica, const std::shared_ptr<OpenDevice>& lost = {}, const std::string& why = {}) const;
    bool renewable() const { return bool(load_again_); }

    // A device for work that is too little for several: each in turn, those that are lost only where all are.
    std::size_t next_in_turn() const;

    // The work that tasks have given to a device, in source tokens.
    void begin(std::size_t replica, std::size_t tokens) const;
    void end(std::size_t replica, std::size_t tokens, bool done) const;  // done: not given up
    // When the device will have done all its work and these tokens, in seconds from now, by the rate that it has shown.
    // Devices that have shown none yet count as fast as the others.
    double done_after(std::size_t replica, std::size_t tokens) const;

private:
    struct Slot {
        Member member;
        bool renewing = false;
        std::vector<Renewed> waiting;
        decode::SearchStats before;  // of networks that were given up

        std::size_t tokens = 0;  // at work
        double tokens_done = 0.0, busy_seconds = 0.0;
        double since = 0.0;  // busy_seconds holds the time until here
        bool lost = false;  // for ever
    };
    static void pass_time(Slot& slot);
    static double rate(const Slot& slot);
    static bool is_lost(const Slot& slot) { return slot.lost || !slot.member.model; }
    void lose(std::size_t replica, const std::string& why) const;
    void log_loss(std::size_t replica, const std::string& why) const;
    void answer(std::size_t replica, const Failure& failure) const;
    Failure try_to_load(std::size_t replica, const std::shared_ptr<OpenDevice>& lost, const std::string& why,
                        const Background::Stop& stop) const;

    const Load load_again_;
    std::vector<std::shared_ptr<Device>> devices_;
    nn::Seq2SeqInfo info_;
    nn::NumberTypes types_ = DType::f32;
    mutable std::mutex mutex_;
    mutable std::vector<Slot> slots_;
    mutable std::size_t turn_ = 0;
};

}  // namespace dragoman::engine
