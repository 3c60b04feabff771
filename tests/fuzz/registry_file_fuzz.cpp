// SPDX-License-Identifier: Apache-2.0
// A registry's data file, as users write their own.
#include "fuzz/fuzz.h"
#include "registry/filter_expression.h"
#include "registry/shapes/shapes.h"

namespace dragoman::test::registry_file_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    registry::filter_holds(text, {{"env.channel", "release"}, {"env.version", "1"}});
    return test::refusing([&] {
        registry::Registry registry;
        registry.file = "input";
        registry.id = "fuzz";
        registry.data = nlohmann::json::parse(text, nullptr, false);
        if (!registry.data.is_object()) return;
        if (registry.data.contains("list") && registry.data["list"].is_string())
            registry.list_url = registry.data["list"];
        registry::check_shape(registry);
    });
}

}  // namespace dragoman::test::registry_file_fuzz
