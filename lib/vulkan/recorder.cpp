// SPDX-License-Identifier: Apache-2.0
#include "vulkan/recorder.h"

#include <algorithm>

#include "vulkan/barriers.h"
#include "base/error.h"
#include "vulkan/command_list.h"

namespace dragoman::vulkan {

struct Recorder::Impl {
    Impl(std::shared_ptr<Context> owner, Checking checks)
        : context(*owner), core(owner->impl()), device(core.device), checking(checks) {
        open();
    }

    void open() {
        list = std::make_unique<RecordedList>(context.shared_from_this());
        list->begin();
        hazards = {};
        since = {};
        begun = arguments_ordered = conditional = false;
        bound = VK_NULL_HANDLE;
    }

    std::unique_ptr<RecordedList> close() {
        DRAGOMAN_ASSERT(list != nullptr);
        DRAGOMAN_ASSERT(open_passes == 0);
        if (!begun) order({});  // an empty list makes this barrier too, since later lists rely on it
        if (conditional) device->vkCmdEndConditionalRenderingEXT(commands());
        if (host_reads_it) host_read_barrier(device, commands());
        list->end();
        return std::move(list);
    }

    VkCommandBuffer commands() const { return list->commands(); }

    // Records a barrier between the commands since the last one and the next.
    void order(const BarrierReach& next) {
        BarrierReach reach = since;
        reach.arguments |= next.arguments;
        reach.condition = next.condition;
        memory_barrier(device, commands(), reach);
        arguments_ordered |= reach.arguments;
        begun = true;
        since = {};
    }

    void use(std::span<const BufferView> reads, std::span<const BufferView> writes) {
        read_ranges.clear();
        write_ranges.clear();
        for (const BufferView& view : reads) {
            list->keep_alive(view);
            read_ranges.push_back(range_of(view));
        }
        for (const BufferView& view : writes) {
            list->keep_alive(view);
            write_ranges.push_back(range_of(view));
            host_reads_it |= device_buffer(view).use() == BufferUse::progress;
        }
        const auto is_arguments = [](const BufferView& view) {
            return device_buffer(view).use() == BufferUse::arguments;
        };
        const BarrierReach next{.arguments = std::ranges::any_of(reads, is_arguments) ||
                                             std::ranges::any_of(writes, is_arguments)};
        waits = hazards.barrier_before(read_ranges, write_ranges);
        // Earlier lists may have used arguments: the first use here waits for them.
        if (waits || !begun || (next.arguments && !arguments_ordered)) order(next);
        since.arguments |= next.arguments;
    }

    Context& context;
    Context::Impl& core;
    const Device& device;
    const Checking checking;
    Listener listener;
    std::unique_ptr<RecordedList> list;
    std::vector<std::unique_ptr<CommandList>> parts;  // before `list`
    Hazards hazards;
    std::vector<BufferRange> read_ranges, write_ranges;
    std::vector<BufferView> reads, writes;
    VkPipeline bound = VK_NULL_HANDLE;
    BarrierReach since;  // used since the last barrier
    bool begun = false, arguments_ordered = false;  // whether the list waits for earlier lists, and for their arguments
    bool conditional = false;
    bool waits = false;  // whether the last command waits
    bool host_reads_it = false;
    uint32_t open_passes = 0;
};

Recorder::Recorder(std::shared_ptr<Context> context, Checking checking)
    : impl_(std::make_unique<Impl>(std::move(context), checking)) {}
Recorder::Recorder(std::shared_ptr<Context> context, Listener listener)
    : impl_(std::make_unique<Impl>(std::move(context), Checking::off)) {
    impl_->listener = std::move(listener);
}

Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;

const Caps& Recorder::caps() const { return impl_->device.caps(); }
Context& Recorder::context() const { return impl_->context; }

bool Recorder::is_usable_untyped(const Shader& shader, VariantKey key, std::span<const uint32_t> spec_constants) const {
    const Impl& r = *impl_;
    if (!r.context.can_run(shader, key)) return false;
    return r.checking == Checking::off || r.core.check_results.is_usable(r.context, {&shader, key, spec_constants});
}

uint32_t Recorder::spilled_untyped(const Shader& shader, VariantKey key, std::span<const uint32_t> constants) const {
    const Impl& r = *impl_;
    if (!r.context.can_run(shader, key)) return Spills::kUncompiled;
    const KernelUse use{&shader, key, constants};
    return r.listener ? r.core.spills.known(use) : r.core.spills.of(use);
}

void Recorder::dispatch_untyped(const Shader& shader, VariantKey key, std::span<const BufferView> buffers,
                                const void* push, uint32_t push_bytes, std::span<const uint32_t> spec_constants,
                                const Groups& groups) {
    Impl& r = *impl_;
    DRAGOMAN_ASSERT(r.list != nullptr);
    r.reads.clear();
    r.writes.clear();
    for (size_t i = 0; i < buffers.size(); ++i) {
        check_view(buffers[i], r.context);
        DRAGOMAN_ASSERT(buffers[i].offset % caps().storage_alignment == 0);
        if (shader.reads >> i & 1) r.reads.push_back(buffers[i]);
        if (shader.writes >> i & 1) r.writes.push_back(buffers[i]);
    }
    if (groups.indirect) {
        check_view(groups.indirect, r.context);
        DRAGOMAN_ASSERT(groups.indirect.size_bytes >= 12 && groups.indirect.offset % 4 == 0);
        DRAGOMAN_ASSERT(device_buffer(groups.indirect).use() == BufferUse::arguments);
        r.reads.emplace_back(*groups.indirect.buffer, groups.indirect.offset, 12);
    }
    const std::array<uint32_t, 3>& max = r.device.physical().max_groups;
    DRAGOMAN_ASSERT(groups.x <= max[0] && groups.y <= max[1] && groups.z <= max[2]);
    if (r.listener) return r.listener(shader, key, spec_constants);
    if (r.checking == Checking::on && !r.core.check_results.is_usable(r.context, {&shader, key, spec_constants}))
        fail(Status::unsupported, "kernel {}: its results with {}, {}, are wrong, and there is no other for its work",
             kernel_name({&shader, key, spec_constants}), caps().name, caps().driver);
    if (r.checking == Checking::on && r.core.on_dispatch) r.core.on_dispatch({&shader, key, spec_constants});
    const Pipeline& pipeline = r.core.pipelines.get(shader, key, spec_constants);
    const VkDescriptorSet set = r.list->descriptor_set(shader, pipeline.layout.set, buffers);
    r.use(r.reads, r.writes);

    const Device& device = r.device;
    if (pipeline.handle != r.bound) {
        device->vkCmdBindPipeline(r.commands(), VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle);
        r.bound = pipeline.handle;
    }
    device->vkCmdBindDescriptorSets(r.commands(), VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout.pipeline, 0, 1, &set,
                                    0, nullptr);
    if (shader.push_bytes)
        device->vkCmdPushConstants(r.commands(), pipeline.layout.pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes,
                                   push);
    if (r.core.dispatch_times)
        r.list->queries().begin(r.commands(), {.kernel = kernel_name({&shader, key, spec_constants}),
                                               .waits = r.waits,
                                               .groups = double(groups.x) * groups.y * groups.z,
                                               .indirect = groups.indirect});
    if (groups.indirect)
        device->vkCmdDispatchIndirect(r.commands(), device_buffer(groups.indirect).handle(), groups.indirect.offset);
    else device->vkCmdDispatch(r.commands(), groups.x, groups.y, groups.z);
    ++r.list->dispatch_count;
    if (r.core.profiling) r.list->queries().count_dispatch();
    if (r.core.dispatch_times) r.list->queries().end(r.commands());
}

void Recorder::copy(const BufferView& source, const BufferView& target) {
    Impl& r = *impl_;
    DRAGOMAN_ASSERT(r.list != nullptr);
    check_view(source, r.context);
    check_view(target, r.context);
    DRAGOMAN_ASSERT(source.size_bytes == target.size_bytes && source.size_bytes % 4 == 0);
    r.use({&source, 1}, {&target, 1});
    const VkBufferCopy copy{source.offset, target.offset, source.size_bytes};
    r.device->vkCmdCopyBuffer(r.commands(), device_buffer(source).handle(), device_buffer(target).handle(), 1, &copy);
}

void Recorder::fill(const BufferView& target, uint32_t word) {
    Impl& r = *impl_;
    DRAGOMAN_ASSERT(r.list != nullptr);
    check_view(target, r.context);
    DRAGOMAN_ASSERT(target.offset % 4 == 0 && target.size_bytes % 4 == 0);
    r.use({}, {&target, 1});
    r.device->vkCmdFillBuffer(r.commands(), device_buffer(target).handle(), target.offset, target.size_bytes, word);
}

void Recorder::dispatch_only_if(const BufferView& word) {
    Impl& r = *impl_;
    DRAGOMAN_ASSERT(r.list != nullptr && !r.conditional);
    check_view(word, r.context);
    DRAGOMAN_ASSERT(word.offset % 4 == 0 && word.size_bytes >= 4);
    if (!r.device.physical().conditional_rendering) return;
    r.list->keep_alive(word);
    r.order({.condition = true});
    VkConditionalRenderingBeginInfoEXT info{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT};
    info.buffer = device_buffer(word).handle();
    info.offset = word.offset;
    r.device->vkCmdBeginConditionalRenderingEXT(r.commands(), &info);
    r.conditional = true;
}

void Recorder::begin_pass(std::string_view name) {
    Impl& r = *impl_;
    DRAGOMAN_ASSERT(r.list != nullptr);
    r.device.begin_label(r.commands(), name);
    if (r.core.profiling) r.list->queries().begin(r.commands(), name);
    ++r.open_passes;
}

void Recorder::end_pass() {
    Impl& r = *impl_;
    if (r.core.profiling) r.list->queries().end(r.commands());
    r.device.end_label(r.commands());
    --r.open_passes;
}

void Recorder::count(CountWork work) {
    Impl& r = *impl_;
    DRAGOMAN_ASSERT(r.list != nullptr);
    if (r.core.profiling) r.list->queries().count(std::move(work));
}

void Recorder::cut() {
    impl_->parts.push_back(impl_->close());
    impl_->open();
}

std::unique_ptr<CommandList> Recorder::finish() {
    DRAGOMAN_ASSERT(impl_->parts.empty());
    return impl_->close();
}

std::vector<std::unique_ptr<CommandList>> Recorder::finish_parts() {
    impl_->parts.push_back(impl_->close());
    return std::move(impl_->parts);
}

}  // namespace dragoman::vulkan
