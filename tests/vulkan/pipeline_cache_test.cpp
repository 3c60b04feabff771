// SPDX-License-Identifier: Apache-2.0
#include "vulkan/pipeline_cache.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/log.h"
#include "support/device.h"
#include "test_kernels.h"
#include "vulkan/context_impl.h"

namespace pipeline_cache_test {

using namespace dragoman;
using namespace dragoman::vulkan;
namespace fs = std::filesystem;

namespace {

struct TempFolder {
    fs::path path = fs::temp_directory_path() / ("dragoman_cache_" + std::to_string(std::hash<const void*>()(this)));
    ~TempFolder() { fs::remove_all(path); }
};

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct CapturedLog {
    std::string text;
    CapturedLog() {
        set_log_sink([this](LogLevel, std::string_view line) { (text += line) += '\n'; }, LogLevel::debug);
    }
    ~CapturedLog() { set_log_sink({}, LogLevel::warning); }
    bool has(const char* part) const { return text.find(part) != std::string::npos; }
};

void compute_something(const std::shared_ptr<Context>& context) {
    const auto x = test::words(*context, {1, 2, 3});
    const auto y = test::words(*context, {1, 1, 1});
    Recorder recorder(context);
    test::record_mix(recorder, *x, *y, 10);
    context->submit(*recorder.finish());
    CHECK(test::words_of(*context, *y) == std::vector<uint32_t>{11, 12, 13});
}

}  // namespace

TEST_CASE("the cache is written, read again, and ignored where it is broken") {
    for (const Caps& caps : list_devices()) {
        CAPTURE(caps.name);
        const TempFolder folder;
        const std::string cache_dir = (folder.path / "a" / "b").string();
        const ContextOptions options{.device = std::to_string(caps.index), .cache_dir = cache_dir};
        compute_something(Context::create(options));
        REQUIRE(std::distance(fs::directory_iterator(options.cache_dir), {}) == 1);
        const fs::path file = fs::directory_iterator(options.cache_dir)->path();
        const std::string sound = read(file);
        CHECK(sound.size() > 32);
        {
            const CapturedLog log;
            compute_something(Context::create(options));
            CHECK_FALSE(log.has("ignored"));
            CHECK(log.has("bytes"));
        }
        std::string flipped = sound;
        flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
        const std::string cut = sound.substr(0, sound.size() - 1);
        for (const std::string& broken : {std::string("x"), cut, flipped, std::string()}) {
            std::ofstream(file, std::ios::binary | std::ios::trunc) << broken;
            const CapturedLog log;
            compute_something(Context::create(options));
            CHECK(log.has("broken"));
            CHECK(read(file).size() == sound.size());
        }
        CHECK(std::distance(fs::directory_iterator(options.cache_dir), {}) == 1);
    }
}

TEST_CASE("a folder that cannot be written does no harm, and - means no file") {
    for (const Caps& caps : list_devices()) {
        const std::string device = std::to_string(caps.index);
        const TempFolder folder;
        std::ofstream(folder.path) << "a file where the folder should be";
        compute_something(Context::create({.device = device, .cache_dir = folder.path.string()}));
        const auto without = Context::create({.device = device, .cache_dir = "-"});
        CHECK(without->impl().cache.path().empty());
        compute_something(without);
    }
}

}  // namespace pipeline_cache_test
