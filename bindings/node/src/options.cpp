// SPDX-License-Identifier: Apache-2.0
#include "options.h"

namespace addon {

ModelOptions::ModelOptions(napi_env env, napi_value options) : Options(env, options) {
    if (absent(env, options)) return;
    if (const napi_value list = get(env, options, "moreModels"); !absent(env, list)) {
        models = Texts(env, list, "moreModels");
        value.more_models = models.size() ? models.data() : nullptr;
        value.more_model_count = models.size();
    }
    if (const napi_value list = get(env, options, "weights"); !absent(env, list)) {
        const uint32_t count = length(env, list, "weights");
        for (uint32_t i = 0; i < count; ++i)
            weights.push_back(static_cast<float>(read_number(env, at(env, list, i), "weights")));
        value.weights = weights.data();
        value.weight_count = count;
    }
}

TranslateOptions::TranslateOptions(napi_env env, napi_value options) : Options(env, options) {
    if (absent(env, options)) return;
    if (const napi_value list = get(env, options, "suppressSequences"); !absent(env, list)) {
        suppress = Sequences(env, list, "suppressSequences");
        value.suppress_sequences = suppress.data();
        value.suppress_sequence_count = suppress.size();
    }
    if (const napi_value given = get(env, options, "glossary"); !absent(env, given)) {
        glossary = handle<dragoman_glossary>(env, given);
        value.glossary = glossary.get();
    }
    if (const napi_value given = get(env, options, "memory"); !absent(env, given)) {
        memory = handle<dragoman_memory>(env, given);
        value.memory = memory.get();
    }
    if (const napi_value list = get(env, options, "endTokens"); !absent(env, list)) {
        ends = Texts(env, list, "endTokens");
        value.end_tokens = ends.size() ? ends.data() : nullptr;
        value.end_token_count = ends.size();
    }
}

napi_value option_names(napi_env env) {
    const auto names = [env](Fields fields, std::initializer_list<std::string_view> more = {}) {
        napi_value list;
        check(env, napi_create_array(env, &list));
        uint32_t count = 0;
        for (const Field& field : fields) check(env, napi_set_element(env, list, count++, string(env, field.name)));
        for (const std::string_view name : more) check(env, napi_set_element(env, list, count++, string(env, name)));
        return list;
    };
    const napi_value all = object(env);
    set(env, all, "translate",
        names(fields<dragoman_translate_options>(), {"suppressSequences", "endTokens", "glossary", "memory"}));
    set(env, all, "model", names(fields<dragoman_model_options>(), {"moreModels", "weights"}));
    set(env, all, "device", names(fields<dragoman_device_options>()));
    set(env, all, "score", names(fields<dragoman_score_options>()));
    set(env, all, "convert", names(fields<dragoman_convert_options>()));
    set(env, all, "embed", names(fields<dragoman_embed_options>()));
    set(env, all, "memory", names(fields<dragoman_memory_options>()));
    set(env, all, "bench", names(fields<dragoman_bench_options>()));
    return all;
}

}  // namespace addon
