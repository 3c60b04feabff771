// SPDX-License-Identifier: Apache-2.0
// Translating on a VkDevice that an app opened, while the app uses it too.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/environment.h"
#include "engine/tasks.h"
#include "engine/search.h"
#include "spec/random_model.h"
#include "support/device.h"
#include "support/lose_device.h"
#include "vulkan/api.h"
#include "vulkan/feature_chain.h"
#include "vulkan/loader.h"
#include "vulkan/validation.h"

namespace external_device_test {

using namespace dragoman;
using vulkan::ExternalDevice;

namespace {

constexpr uint32_t kVocabulary = 40, kEnd = 2;

void must(VkResult result) { REQUIRE(result == VK_SUCCESS); }

// An app with an instance and a device of its own, which knows nothing of the library's.
struct App {
    explicit App(uint32_t index) {
        vulkan::load_vulkan();
        const auto global = [](auto& function, const char* name) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(vkGetInstanceProcAddr(nullptr, name));
        };
        PFN_vkCreateInstance create_instance = nullptr;
        global(create_instance, "vkCreateInstance");
        const bool validation = environment_flag("DRAGOMAN_VALIDATION");
        const char* layer = vulkan::kValidationLayer;
        const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
        const VkDebugUtilsMessengerCreateInfoEXT messages = vulkan::validation_messenger_info();
        const VkValidationFeatureEnableEXT enabled[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
        VkValidationFeaturesEXT synchronisation{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
        synchronisation.enabledValidationFeatureCount = 1;
        synchronisation.pEnabledValidationFeatures = enabled;
        VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
        application.apiVersion = VK_API_VERSION_1_3;
        VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
        info.pApplicationInfo = &application;
        if (validation) {
            info.pNext = &synchronisation;
            info.enabledLayerCount = 1;
            info.ppEnabledLayerNames = &layer;
            info.enabledExtensionCount = 2;
            info.ppEnabledExtensionNames = extensions;
        }
        must(create_instance(&info, nullptr, &instance));
        table.load(vkGetInstanceProcAddr, instance);
        if (validation) {
            const auto create = instance_function<PFN_vkCreateDebugUtilsMessengerEXT>("vkCreateDebugUtilsMessengerEXT");
            must(create(instance, &messages, nullptr, &messenger));
        }
        uint32_t count = 0;
        must(table.vkEnumeratePhysicalDevices(instance, &count, nullptr));
        std::vector<VkPhysicalDevice> all(count);
        must(table.vkEnumeratePhysicalDevices(instance, &count, all.data()));
        physical = all.at(index);
        find_queue();
        create_device();
        create_buffer();
    }

    ~App() {
        call<PFN_vkDestroyFence>("vkDestroyFence")(device, fence, nullptr);
        call<PFN_vkDestroyCommandPool>("vkDestroyCommandPool")(device, pool, nullptr);
        call<PFN_vkDestroyBuffer>("vkDestroyBuffer")(device, buffer, nullptr);
        call<PFN_vkFreeMemory>("vkFreeMemory")(device, memory, nullptr);
        call<PFN_vkDestroyDevice>("vkDestroyDevice")(device, nullptr);
        if (messenger)
            instance_function<PFN_vkDestroyDebugUtilsMessengerEXT>("vkDestroyDebugUtilsMessengerEXT")(instance,
                                                                                                      messenger,
                                                                                                      nullptr);
        table.vkDestroyInstance(instance, nullptr);
    }

    ExternalDevice handed_over() {
        return {.instance = instance,
                .api_version = VK_API_VERSION_1_3,
                .physical_device = physical,
                .device = device,
                .queue_family = family,
                .queue_index = 0,
                .extensions = wanted.extensions,
                .features = wanted.features.get(),
                .lock =
                    [this] {
                        queue_mutex.lock();
                        ++locks;
                        nested = nested || held;
                        held = true;
                    },
                .unlock =
                    [this] {
                        held = false;
                        ++unlocks;
                        queue_mutex.unlock();
                    }};
    }

    // Fills half of a buffer and copies it to the other half; whether that is what the host then reads there.
    bool fill_and_copy(uint32_t word) {
        VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        must(call<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands, &begin));
        call<PFN_vkCmdFillBuffer>("vkCmdFillBuffer")(commands, buffer, 0, kBytes / 2, word);
        barrier(VK_ACCESS_TRANSFER_READ_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
        const VkBufferCopy half{0, kBytes / 2, kBytes / 2};
        call<PFN_vkCmdCopyBuffer>("vkCmdCopyBuffer")(commands, buffer, buffer, 1, &half);
        barrier(VK_ACCESS_HOST_READ_BIT, VK_PIPELINE_STAGE_HOST_BIT);
        must(call<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands));
        VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands;
        {
            const std::lock_guard lock(queue_mutex);
            must(call<PFN_vkQueueSubmit>("vkQueueSubmit")(queue, 1, &submit, fence));
        }
        must(call<PFN_vkWaitForFences>("vkWaitForFences")(device, 1, &fence, VK_TRUE, UINT64_MAX));
        must(call<PFN_vkResetFences>("vkResetFences")(device, 1, &fence));
        return std::all_of(mapped, mapped + kBytes / 4, [&](uint32_t found) { return found == word; });
    }

    vulkan::InstanceTable table;
    VkInstance instance = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    uint32_t family = 0;
    VkQueue queue = VK_NULL_HANDLE;
    vulkan::WantedDevice wanted;
    std::mutex queue_mutex;
    std::atomic<uint64_t> locks = 0, unlocks = 0;
    bool held = false, nested = false;

private:
    static constexpr uint64_t kBytes = 1 << 16;

    template <class Function>
    Function instance_function(const char* name) const {
        return reinterpret_cast<Function>(vkGetInstanceProcAddr(instance, name));
    }
    template <class Function>
    Function call(const char* name) const {
        return reinterpret_cast<Function>(table.vkGetDeviceProcAddr(device, name));
    }

    void find_queue() {
        uint32_t count = 0;
        table.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        table.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
        while (!(families.at(family).queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;
    }

    void create_device() {
        wanted = vulkan::wanted_device({.instance = instance,
                                        .api_version = VK_API_VERSION_1_3,
                                        .physical_device = physical});
        std::vector<const char*> names;
        for (const std::string& name : wanted.extensions) names.push_back(name.c_str());
        const float priority = 1.0f;
        VkDeviceQueueCreateInfo one{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
        one.queueFamilyIndex = family;
        one.queueCount = 1;
        one.pQueuePriorities = &priority;
        VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
        info.pNext = wanted.features.get();
        info.queueCreateInfoCount = 1;
        info.pQueueCreateInfos = &one;
        info.enabledExtensionCount = uint32_t(names.size());
        info.ppEnabledExtensionNames = names.data();
        must(table.vkCreateDevice(physical, &info, nullptr, &device));
        call<PFN_vkGetDeviceQueue>("vkGetDeviceQueue")(device, family, 0, &queue);
    }

    void create_buffer() {
        VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
        info.size = kBytes;
        info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        must(call<PFN_vkCreateBuffer>("vkCreateBuffer")(device, &info, nullptr, &buffer));
        VkMemoryRequirements needs;
        call<PFN_vkGetBufferMemoryRequirements>("vkGetBufferMemoryRequirements")(device, buffer, &needs);
        VkPhysicalDeviceMemoryProperties types;
        table.vkGetPhysicalDeviceMemoryProperties(physical, &types);
        constexpr VkMemoryPropertyFlags kFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                 VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
        allocate.allocationSize = needs.size;
        while (!(needs.memoryTypeBits >> allocate.memoryTypeIndex & 1) ||
               (types.memoryTypes[allocate.memoryTypeIndex].propertyFlags & kFlags) != kFlags)
            ++allocate.memoryTypeIndex;
        must(call<PFN_vkAllocateMemory>("vkAllocateMemory")(device, &allocate, nullptr, &memory));
        must(call<PFN_vkBindBufferMemory>("vkBindBufferMemory")(device, buffer, memory, 0));
        void* at = nullptr;
        must(call<PFN_vkMapMemory>("vkMapMemory")(device, memory, 0, VK_WHOLE_SIZE, 0, &at));
        mapped = static_cast<const uint32_t*>(at);
        VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
        pool_info.queueFamilyIndex = family;
        must(call<PFN_vkCreateCommandPool>("vkCreateCommandPool")(device, &pool_info, nullptr, &pool));
        VkCommandBufferAllocateInfo one{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        one.commandPool = pool;
        one.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        one.commandBufferCount = 1;
        must(call<PFN_vkAllocateCommandBuffers>("vkAllocateCommandBuffers")(device, &one, &commands));
        VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        must(call<PFN_vkCreateFence>("vkCreateFence")(device, &fence_info, nullptr, &fence));
    }

    void barrier(VkAccessFlags then, VkPipelineStageFlags stage) {
        VkMemoryBarrier written{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
        written.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        written.dstAccessMask = then;
        call<PFN_vkCmdPipelineBarrier>("vkCmdPipelineBarrier")(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, stage, 0, 1,
                                                               &written, 0, nullptr, 0, nullptr);
    }

    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const uint32_t* mapped = nullptr;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
};

std::vector<decode::SearchOutput> translate(const std::shared_ptr<engine::Device>& device) {
    const spec::TransformerConfig config{.d_model = 16,
                                         .encoder_ffn = 20,
                                         .decoder_ffn = 24,
                                         .source_vocabulary = kVocabulary,
                                         .target_vocabulary = kVocabulary,
                                         .encoder = {.layers = 1, .heads = 2, .head_dim = 8},
                                         .decoder = {.layers = 2, .heads = 2, .head_dim = 8, .final_norm = true},
                                         .start_from_zero_embedding = true};
    const test::RandomModel random(config, {.seed = 5});
    const auto model = std::make_shared<engine::Model>(device, random.config, random.weights, engine::ComputeType::f32,
                                                       "random");
    std::vector<decode::SearchInput> inputs;
    for (uint32_t i = 0; i < 40; ++i) {
        inputs.push_back({.source = {}, .start_id = 1, .context = {}, .prefix = {}, .max_length = 30});
        for (uint32_t t = 0; t < 1 + i % 13; ++t) inputs.back().source.push_back((7 * i + 11 * t) % kVocabulary);
    }
    std::vector<decode::SearchOutput> outputs(inputs.size());
    const auto mailbox = std::make_shared<engine::Mailbox>();
    engine::SearchOptions options{.rules = test::rules_of(3), .num_hypotheses = 2};
    const auto replicas = std::make_shared<engine::Replicas>(std::vector<std::shared_ptr<const engine::Model>>{model});
    engine::Search search(replicas, options, mailbox,
                          {.finished = [&](std::size_t i, auto output) { outputs[i] = std::move(output); },
                           .partial = {}});
    search.add(inputs, true);
    while (!search.over())
        for (engine::Event& event : mailbox->take())
            if (search.owns(event)) search.handle(std::move(event));
    CHECK(!search.error());
    return outputs;
}

void check_refused(const ExternalDevice& device, Status status, const std::string& word) {
    try {
        engine::Device::adopt(device, {});
        FAIL("it was taken");
    } catch (const Error& error) {
        CHECK(error.status() == status);
        CAPTURE(error.what());
        CHECK(std::string(error.what()).find(word) != std::string::npos);
    }
}

}  // namespace

TEST_CASE("an app's device translates as one of our own, while the app uses its queue") {
    for (const vulkan::Caps& caps : vulkan::list_devices()) {
        CAPTURE(caps.name);
        const auto own = engine::Device::open({.device = std::to_string(caps.index)});
        const auto expected = translate(own);
        App app(caps.index);
        for (int round = 0; round < 2; ++round) {
            std::vector<decode::SearchOutput> found;
            std::atomic<bool> stop = false;
            std::atomic<uint64_t> wrong = 0, loops = 0;
            std::thread other([&] {
                for (uint32_t word = 1; !stop || loops < 3; ++word, ++loops) wrong += !app.fill_and_copy(word);
            });
            {
                const auto device = engine::Device::adopt(app.handed_over(), {});
                CHECK(device->context().caps().needs_met == caps.needs_met);
                CHECK(device->context().caps().coop_shapes.size() == caps.coop_shapes.size());
                CHECK(device->context().memory().heap_bytes > 0);
                found = translate(device);
                CHECK(translate(own).size() == expected.size());  // both at once
            }
            stop = true;
            other.join();
            CHECK(wrong == 0);
            CHECK(loops > 0);
            REQUIRE(found.size() == expected.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                REQUIRE(found[i].hypotheses.size() == expected[i].hypotheses.size());
                for (std::size_t h = 0; h < found[i].hypotheses.size(); ++h) {
                    CHECK(found[i].hypotheses[h].tokens == expected[i].hypotheses[h].tokens);
                    CHECK(found[i].hypotheses[h].score == expected[i].hypotheses[h].score);
                }
            }
        }
        CHECK(app.locks > 0);
        CHECK(app.locks == app.unlocks);
        CHECK(!app.nested);
        CHECK(app.fill_and_copy(77));  // it is still the app's
    }
}

TEST_CASE("an app's device that is lost is not opened again: the app is told") {
    App app(vulkan::list_devices().at(0).index);
    const auto device = engine::Device::adopt(app.handed_over(), {});
    const auto load = [](std::size_t, const auto& to, const auto& on) {
        auto network = std::make_unique<test::FragileModel>(on->shared_context(), kVocabulary, 3);
        return engine::Replicas::Member{std::make_shared<const engine::Model>(to, std::move(network), DType::f32)};
    };
    std::vector<engine::Replicas::Member> members{load(0, device, device->current())};
    const auto replicas = std::make_shared<const engine::Replicas>(std::move(members), load);
    const auto before = device->current();
    test::Losses::lose_at(device->context(), 2);
    for (int round = 0; round < 2; ++round) {
        const auto mailbox = std::make_shared<engine::Mailbox>();
        engine::Search search(replicas, {.rules = test::rules_of(1)}, mailbox,
                              {.finished = [](auto...) {}, .partial = {}});
        search.add(test::task_of(20).inputs, true);
        while (!search.over())
            for (engine::Event& event : mailbox->take())
                if (search.owns(event)) search.handle(std::move(event));
        const Failure failure = Failure::of(search.error());
        CHECK(failure.status == Status::device_lost);
        CAPTURE(failure.message);
        CHECK(failure.message.find("the device is the app's, which must open a new one") != std::string::npos);
    }
    CHECK(device->current() == before);
}

TEST_CASE("every submission is made between lock and unlock") {
    App app(vulkan::list_devices().at(0).index);
    const auto device = engine::Device::adopt(app.handed_over(), {});
    translate(device);
    CHECK(app.locks == device->context().stats().submissions);
}

TEST_CASE("what a device lacks is said by name, or done without") {
    App app(vulkan::list_devices().at(0).index);
    const ExternalDevice whole = app.handed_over();
    const auto but = [&](auto change) {
        ExternalDevice device = whole;
        change(device);
        return device;
    };
    check_refused(but([](auto& d) { d.instance = nullptr; }), Status::invalid_argument, "instance");
    check_refused(but([](auto& d) { d.device = nullptr; }), Status::invalid_argument, "device");
    check_refused(but([](auto& d) { d.physical_device = nullptr; }), Status::invalid_argument, "physical_device");
    check_refused(but([](auto& d) { d.unlock = {}; }), Status::invalid_argument, "unlock");
    check_refused(but([](auto& d) { d.features = nullptr; }), Status::no_device, "timeline semaphores");
    check_refused(but([](auto& d) { d.api_version = VK_API_VERSION_1_1; }), Status::no_device, "1.2");
    check_refused(but([](auto& d) { d.queue_family = 1000; }), Status::no_device, "compute queue");

    VkPhysicalDeviceTimelineSemaphoreFeatures timeline{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    timeline.timelineSemaphore = VK_TRUE;
    VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &timeline};
    const auto bare = engine::Device::adopt(but([&](auto& d) {
                                                d.features = &core;
                                                d.extensions.clear();
                                            }),
                                            {});
    const vulkan::Caps& caps = bare->context().caps();
    CHECK(!caps.f16);
    CHECK(caps.coop_shapes.empty());
    CHECK(!caps.integer_dot);
    CHECK(!bare->context().memory().measured);
    translate(bare);

    VkPhysicalDevice16BitStorageFeatures storage{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, &timeline};
    storage.storageBuffer16BitAccess = VK_TRUE;
    VkPhysicalDeviceShaderFloat16Int8Features half{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
                                                   &storage};
    half.shaderFloat16 = VK_TRUE;
    core.pNext = &half;  // by the extensions' structs
    const auto with_half = engine::Device::adopt(but([&](auto& d) { d.features = &core; }), {});
    CHECK(with_half->context().caps().f16 == vulkan::list_devices().at(0).f16);
}

}  // namespace external_device_test
