// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "vulkan/buffer.h"
#include "vulkan/caps.h"
#include "vulkan/kernel.h"
#include "vulkan/work.h"

namespace dragoman::vulkan {

// The workgroups of one dispatch: a fixed number, or three uints read from device memory (x, y, z) at run time.
struct Groups {
    uint32_t x = 1, y = 1, z = 1;
    BufferView indirect;  // set: 12 bytes at its offset replace x, y, z

    constexpr Groups(uint32_t gx, uint32_t gy = 1, uint32_t gz = 1) : x(gx), y(gy), z(gz) {}
    static Groups from(BufferView arguments) {
        Groups g(0, 0, 0);
        g.indirect = arguments;
        return g;
    }
};

// Recorded commands, which can be replayed any number of times, also while a former submission is pending. The list
// begins with a barrier against everything submitted before it.
class CommandList {
public:
    virtual ~CommandList() = default;
    virtual uint32_t dispatches() const = 0;
};

// Whether kernels are checked before their first use (CheckResults): off only for the check itself.
enum class Checking : uint8_t { on, off };

// Records dispatches, copies and fills. Barriers are automatic: the recorder knows from reflection what each kernel
// reads and writes, and puts a barrier only where a range is touched again. One thread at a time may use it.
class Recorder {
public:
    explicit Recorder(std::shared_ptr<Context> context, Checking checking = Checking::on);
    // Receives the kernels that would have been dispatched; nothing is recorded.
    using Listener = std::function<void(const Shader&, VariantKey, std::span<const uint32_t> spec_constants)>;
    Recorder(std::shared_ptr<Context> context, Listener listener);
    ~Recorder();
    Recorder(Recorder&&) noexcept;

    const Caps& caps() const;
    Context& context() const;

    // The types check the sizes: a missing buffer or a wrong push struct does not compile. Asserts that the variant
    // exists and that no view is empty. Views bound here stay alive as long as the command list.
    template <class Push, class Tile, uint32_t kBuffers>
    void dispatch(const Kernel<Push, Tile, kBuffers>& kernel, VariantKey key,
                  const std::array<BufferView, kBuffers>& buffers, const Push& push, const Tile& tile,
                  const Groups& groups) {
        dispatch_untyped(*kernel.shader, key, buffers, &push, sizeof(Push), constants_of(tile), groups);
    }
    // Whether the device runs this kernel and gives right results with it; it is an error to dispatch one that is not
    // usable.
    template <class Push, class Tile, uint32_t kBuffers>
    bool is_usable(const Kernel<Push, Tile, kBuffers>& kernel, VariantKey key, const Tile& tile) const {
        return is_usable_untyped(*kernel.shader, key, constants_of(tile));
    }
    // Registers and bytes that the compiler spills (vulkan::Spills); 0 is best. A recorder that only listens compiles
    // nothing for this.
    template <class Push, class Tile, uint32_t kBuffers>
    uint32_t spilled(const Kernel<Push, Tile, kBuffers>& kernel, VariantKey key, const Tile& tile) const {
        return spilled_untyped(*kernel.shader, key, constants_of(tile));
    }
    void copy(const BufferView& source, const BufferView& target);  // equal sizes, multiples of 4
    void fill(const BufferView& target, uint32_t word);

    // Devices that can do so skip the dispatches from here to the end of the list when the word is 0 at this point;
    // only the last of them may change it. Other devices run them, so the result must be the same.
    void dispatch_only_if(const BufferView& word);

    // Names the commands until the scope ends: a debug label, and a timestamp pair when profiling.
    class Pass {
    public:
        Pass(Recorder& recorder, std::string_view name) : recorder_(recorder) { recorder_.begin_pass(name); }
        ~Pass() { recorder_.end_pass(); }
        Pass(const Pass&) = delete;

    private:
        Recorder& recorder_;
    };

    // Adds work to the open passes, when profiling.
    void count(CountWork work);

    // Begins a new list here: drivers end a submission that takes seconds. Not inside a pass.
    void cut();

    // The recorder must not be used afterwards.
    std::unique_ptr<CommandList> finish();  // for a recording without cuts
    std::vector<std::unique_ptr<CommandList>> finish_parts();  // to be submitted in this order

private:
    template <class Tile>
    static std::span<const uint32_t> constants_of(const Tile& tile) {
        if constexpr (std::is_empty_v<Tile>) return {};
        else return {reinterpret_cast<const uint32_t*>(&tile), sizeof(Tile) / sizeof(uint32_t)};
    }
    bool is_usable_untyped(const Shader& shader, VariantKey key, std::span<const uint32_t> spec_constants) const;
    uint32_t spilled_untyped(const Shader& shader, VariantKey key, std::span<const uint32_t> spec_constants) const;
    void dispatch_untyped(const Shader& shader, VariantKey key, std::span<const BufferView> buffers, const void* push,
                          uint32_t push_bytes, std::span<const uint32_t> spec_constants, const Groups& groups);
    void begin_pass(std::string_view name);
    void end_pass();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dragoman::vulkan
