// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "families/families.h"
#include "vulkan/loader.h"

using namespace dragoman;

namespace {

const std::vector<std::string>& names() {
    static const std::vector<std::string> list = [] {
        std::vector<std::string> result;
        for (const families::Form& form : families::forms()) {  // a format may be recognised in several ways
            const std::string name = "format." + std::string(form.format);
            if (std::ranges::find(result, name) == result.end()) result.push_back(name);
        }
        for (const char* name :
             {"compute.float32", "compute.float16", "compute.int8", "compute.int8_float16", "search.ctranslate2",
              "search.marian", "search.huggingface", "jobs", "jobs.partial", "vulkan"})
            result.emplace_back(name);
        return result;
    }();
    return list;
}

bool vulkan_is_there() {
    try {
        vulkan::load_vulkan();
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

int32_t dragoman_has_feature(const char* name) try {
    const std::string wanted = name ? name : "";
    if (wanted == "vulkan") return vulkan_is_there();
    return std::ranges::find(names(), wanted) != names().end();
} catch (...) {
    return 0;  // out of memory
}

const char* dragoman_feature_name(size_t index) try {
    return index < names().size() ? names()[index].c_str() : nullptr;
} catch (...) {
    return nullptr;
}
