// SPDX-License-Identifier: Apache-2.0
#include "addon.h"

namespace addon {
namespace {

napi_value has_feature(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const std::string name = read_string(env, Arguments<1>(env, info)[0], "name");
        return boolean(env, dragoman_has_feature(name.c_str()) != 0);
    });
}

napi_value features(napi_env env, napi_callback_info) {
    return guard(env, [&] {
        napi_value list;
        check(env, napi_create_array(env, &list));
        uint32_t count = 0;
        for (std::size_t i = 0; const char* name = dragoman_feature_name(i); ++i) {
            if (!dragoman_has_feature(name)) continue;
            check(env, napi_set_element(env, list, count++, string(env, std::string_view(name))));
        }
        return list;
    });
}

napi_value init(napi_env env, napi_value exports) {
    guard(env, [&] {
        if (dragoman_version() / 10000 != DRAGOMAN_VERSION_MAJOR || dragoman_version() < DRAGOMAN_VERSION)
            throw Failure{"unsupported", std::string("the dragoman library is version ") + dragoman_version_string() +
                                             ", older than this addon"};
        set(env, exports, "version", string(env, std::string_view(dragoman_version_string())));
        set(env, exports, "optionNames", option_names(env));
        set(env, exports, "allHeads", number(env, DRAGOMAN_ALL_HEADS));
        add(env, exports, "hasFeature", has_feature);
        add(env, exports, "features", features);
        add_models(env, exports);
        add_translators(env, exports);
        add_jobs(env, exports);
        add_results(env, exports);
        add_texts(env, exports);
        add_memory(env, exports);
        add_tools(env, exports);
        add_documents(env, exports);
        return exports;
    });
    return exports;
}

}  // namespace
}  // namespace addon

NAPI_MODULE_INIT() { return addon::init(env, exports); }
