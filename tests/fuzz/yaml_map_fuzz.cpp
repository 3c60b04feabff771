// SPDX-License-Identifier: Apache-2.0
#include "formats/yaml_map.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::yaml_map_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] {
        const formats::YamlMap map("input", test::fuzz_file(data, size).text());
        for (const auto& entry : map.entries()) {
            test::refusing([&] { map.flag(entry.first, false); });
            test::refusing([&] { map.number(entry.first, 0, 100); });
            test::refusing([&] { map.real(entry.first); });
            test::refusing([&] { map.list(entry.first); });
        }
    });
}

}  // namespace dragoman::test::yaml_map_fuzz
