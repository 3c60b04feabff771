// SPDX-License-Identifier: Apache-2.0
#include "engine/model.h"

#include <algorithm>
#include <vector>

#include "base/background.h"
#include "base/error.h"
#include "base/log.h"
#include "engine/weight_room.h"
#include "nn/recurrent_network.h"
#include "nn/transformer.h"
#include "nn/weight_bytes.h"
#include "nn/weight_store.h"
#include "ops/tune.h"
#include "vulkan/check_results.h"
#include "vulkan/tuning.h"

namespace dragoman::engine {
namespace {

// The share of the measuring time that goes to choices on which all others depend.
constexpr double kKernelShare = 0.5;
// Rows per step of one greedy search, of one beam and of a batch, and of an encoder's batch.
constexpr uint32_t kTunedRows[] = {1, 4, 32, 128, 512, 8, 16, 64, 256, 2048};

bool is_made_for_int8(const NetworkSource& source) {
    return std::ranges::any_of(source.weights.tensors(),
                               [](const auto& entry) { return spec::is_made_for_int8(entry.second); });
}

// Whether all members of an ensemble are, or none is.
bool are_made_for_int8(std::span<const NetworkSource> sources) {
    const bool first = is_made_for_int8(sources.front());
    const auto kind = [](bool int8) { return int8 ? "int8" : "float"; };
    for (const NetworkSource& source : sources)
        if (is_made_for_int8(source) != first)
            fail(Status::unsupported,
                 "{}: expected {} weights as in {}, the model has {} weights; a compute type of "
                 "float32, float16 or int8 takes both",
                 source.name, kind(first), sources.front().name, kind(!first));
    return first;
}

struct TypeChoice {
    nn::NumberTypes types;
    const char* reason = "asked for";
};

TypeChoice choose_type(ComputeType wanted, const vulkan::Caps& caps, std::span<const NetworkSource> sources) {
    const bool made_for_int8 = wanted == ComputeType::automatic && are_made_for_int8(sources);
    switch (wanted) {
        case ComputeType::f32: return {DType::f32};
        case ComputeType::automatic:
            // Integer products have no kernels for few rows or for cooperative matrices.
            if (caps.f16 && !caps.is_cpu())
                return {DType::f16, made_for_int8 ? "faster on GPUs than the model's int8" : "fastest on GPUs"};
            if (made_for_int8) return {DType::i8, "the model is made for it"};
            return {DType::f32, caps.is_cpu() ? "fastest on CPU devices" : "the device has no 16-bit arithmetic"};
        case ComputeType::int8: return {DType::i8};
        case ComputeType::f16:
        case ComputeType::int8_f16: {
            const nn::NumberTypes types(wanted == ComputeType::f16 ? DType::f16 : DType::i8, DType::f16);
            if (!caps.f16)
                fail(Status::unsupported, "compute type {}: {} has no 16-bit storage and arithmetic", name(types),
                     caps.name);
            return {types};
        }
    }
    fail(Status::invalid_argument,
         "compute type {}: expected 0 (automatic), 1 (float32), 2 (float16), 3 (int8) or 4 (int8_float16)",
         int(wanted));
}

uint64_t bytes_of(std::span<const NetworkSource> sources, const nn::NumberTypes& types,
                  std::optional<DType> converted = {}) {
    uint64_t bytes = 0;
    for (const NetworkSource& source : sources)
        bytes += source.recurrent ? nn::weight_bytes(source.weights, types, converted)
                                  : nn::weight_bytes(source.config, source.weights, types, converted);
    return bytes;
}

// The type on the device of the largest tensor, which stands for the rest.
std::string kept_type(const NetworkSource& source, const nn::NumberTypes& types) {
    const auto& tensors = source.weights.tensors();
    const auto largest = std::ranges::max_element(tensors, {},
                                                  [](const auto& entry) { return entry.second.elements(); });
    const bool blocks = largest != tensors.end() && block_bytes(largest->second.dtype) &&
                        !nn::rounds_matrices(source.weights, types);
    return std::string(blocks ? name(largest->second.dtype) : name(types));
}

std::vector<WeightChoice> smaller_choices(std::span<const NetworkSource> sources, const nn::NumberTypes& types,
                                          bool halves) {
    const uint64_t wanted = bytes_of(sources, types);
    std::vector<WeightChoice> choices;
    if (halves) choices.push_back({"compute type float16", bytes_of(sources, DType::f16)});
    if (types.products != DType::i8) choices.push_back({"compute type int8", bytes_of(sources, DType::i8)});
    for (const DType blocks : {DType::q8, DType::q4})
        choices.push_back({fmt::format("dragoman convert --type {}", name(blocks)),
                           bytes_of(sources, types.others, blocks)});
    std::erase_if(choices, [&](const WeightChoice& choice) { return choice.bytes >= wanted; });
    return choices;
}

// Called before anything is uploaded. `halves`: whether float16 is a choice.
void check_room(Device& device, vulkan::Context& context, std::span<const NetworkSource> sources,
                const nn::NumberTypes& types, bool halves) {
    const uint64_t wanted = bytes_of(sources, types);
    if (wanted <= context.available_bytes()) return;
    device.trim();
    const uint64_t available = context.available_bytes();
    if (wanted <= available) return;
    const uint64_t limit = context.memory_limit_bytes();
    const std::string place = limit ? fmt::format("the limit of {} bytes", limit) : context.caps().name;
    fail(Status::out_of_memory, "{}",
         no_room_for_weights(sources.front().name, {kept_type(sources.front(), types), wanted}, available, place,
                             smaller_choices(sources, types, halves)));
}

}  // namespace

Model::Model(std::shared_ptr<Device> device, const spec::TransformerConfig& config, const spec::WeightMap& weights,
             ComputeType wanted, const std::string& name)
    : Model(std::move(device), std::vector<NetworkSource>{{config, weights, name}}, {}, wanted) {}

Model::Model(std::shared_ptr<Device> device, std::span<const NetworkSource> sources, nn::Combination combination,
             ComputeType wanted, std::shared_ptr<OpenDevice> on)
    : device_(std::move(device)), on_(on ? std::move(on) : device_->opened()) {
    const std::string& name = sources.front().name;
    const TypeChoice choice = choose_type(wanted, context().caps(), sources);
    types_ = choice.types;
    type_reason_ = choice.reason;
    const auto make = [&] {
        std::vector<nn::Ensemble::Member> members;
        device_bytes_ = 0;
        fingerprint_ = {};
        for (const NetworkSource& source : sources) {
            const auto add = [&](auto network) {
                device_bytes_ += network->device_bytes();
                fingerprint_.add(network->fingerprint());
                fingerprint_.add(source.weight);
                members.push_back({std::move(network), source.weight});
            };
            const auto& context = on_->shared_context();
            if (source.recurrent)
                add(std::make_unique<nn::RecurrentNetwork>(context, *source.recurrent, source.weights, types_));
            else add(std::make_unique<nn::Transformer>(context, source.config, source.weights, types_));
        }
        if (members.size() == 1 && members[0].weight == 1.0f) network_ = std::move(members[0].model);
        else network_ = std::make_unique<nn::Ensemble>(on_->shared_context(), std::move(members), combination);
    };
    const auto load = [&] {
        try {
            make();
        } catch (...) {
            context().settle();  // what comes next counts on the memory
            throw;
        }
    };
    check_room(*device_, context(), sources, types_, types_ == DType::f32 && context().caps().f16);
    bool too_large = false;
    try {
        load();
        return;
    } catch (const Error& error) {
        too_large = error.status() == Status::unsupported && types_ == DType::f16;
        if (too_large && wanted == ComputeType::automatic) {
            types_ = DType::f32;
            type_reason_ = "a weight is larger than float16 holds";
        } else if (error.status() != Status::out_of_memory) throw;
        log(LogLevel::debug, "{}: trying again {}: {}", name,
            too_large ? "in float32" : "after freeing what is idle on the device", error.what());
    }
    device_->trim();
    if (too_large) check_room(*device_, context(), sources, types_, false);
    load();
}

Model::Model(std::shared_ptr<Device> device, std::unique_ptr<const nn::Seq2Seq> network, nn::NumberTypes types)
    : device_(std::move(device)), on_(device_->current()), types_(types), network_(std::move(network)) {}

Model::~Model() {
    context().background().forget(this);
    on_->scheduler().forget(*network_);
    if (wide_) on_->scheduler().forget(*wide_);
    network_.reset();
    wide_.reset();
    context().settle();  // whoever unloads a model counts on its memory
}

const nn::Seq2Seq* Model::wide() const {
    const std::lock_guard lock(wide_mutex_);
    if (!wide_ && info().narrow) {
        wide_ = network_->widened();
        log(LogLevel::warning,
            "numbers overflow in float16: such sentences are searched again with float32 activations; "
            "compute type float32 does without the first search");
    }
    return wide_.get();
}

decode::SearchStats Model::stats() const {
    decode::SearchStats stats = on_->scheduler().stats(*network_);
    const std::lock_guard lock(wide_mutex_);
    if (!wide_) return stats;
    const decode::SearchStats wide = on_->scheduler().stats(*wide_);
    stats.batches += wide.batches;
    stats.decoder_steps += wide.decoder_steps;
    stats.slot_steps += wide.slot_steps;
    stats.row_steps += wide.row_steps;
    stats.pipelines_awaited += wide.pipelines_awaited;
    stats.pipelines_late += wide.pipelines_late;
    return stats;
}

void Model::prepare(const std::optional<decode::SearchRules>& rules) {
    vulkan::Context& context = this->context();
    if (context.caps().is_cpu()) return;
    const vulkan::TuningMode mode = context.tuning_mode();
    const auto products = std::make_shared<const std::vector<ops::Product>>(network_->measured_products());
    const double seconds = context.tuning_seconds();
    if (mode != vulkan::TuningMode::off)
        log(LogLevel::debug, "kernels are measured for at most {} s, {}", seconds,
            mode == vulkan::TuningMode::at_load ? "now" : "mostly in the background");
    const auto measure = [&](const auto& what) {
        try {
            what();
        } catch (const Error& error) {  // of a lost device, too: the first search finds that out, and opens it again
            log(LogLevel::debug, "kernels are not measured: {}", error.what());
        }
    };
    if (mode != vulkan::TuningMode::off)
        measure([&] {
            const vulkan::CompilesAhead ahead;
            const ops::Budget budget(kKernelShare * seconds);
            ops::tune_kernels(context, *products, kTunedRows, budget);
            ops::tune_attention(context, network_->measured_attention(), budget);
        });
    const auto compile = [this, rules](const std::atomic<bool>& stop) {
        if (rules) decode::prepare(on_->shared_context(), *network_, *rules, stop);
    };
    const auto work = [&context, mode, seconds, products, compile](const std::atomic<bool>& stop) {
        compile(stop);
        if (mode != vulkan::TuningMode::off && !stop) {
            const vulkan::Tuning::Draft draft(context.tuning());
            const ops::Budget budget((1 - kKernelShare) * seconds, &stop, [&] { context.background().do_urgent(); });
            if (ops::tune_tiles(context, *products, kTunedRows, budget) > 0) compile(stop);
        }
        context.save();
    };
    if (mode == vulkan::TuningMode::at_load) measure([&] { work(false); });
    else
        context.background().add(this, [work](const std::atomic<bool>& stop) {
            const vulkan::CompilesAhead ahead;
            work(stop);
        });
}

}  // namespace dragoman::engine
