// SPDX-License-Identifier: Apache-2.0
#include "fields.h"

#include <cctype>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace addon {
namespace {

std::string camel_case(std::string_view name) {
    std::string result;
    for (bool up = false; const char c : name) {
        if (c != '_') result += up ? static_cast<char>(std::toupper(c)) : c;
        up = c == '_';
    }
    return result;
}

template <class T>
constexpr Field::Kind kind_of() {
    if constexpr (std::is_same_v<T, uint32_t>) return Field::Kind::u32;
    else if constexpr (std::is_same_v<T, int32_t>) return Field::Kind::i32;
    else if constexpr (std::is_same_v<T, uint64_t>) return Field::Kind::u64;
    else if constexpr (std::is_same_v<T, float>) return Field::Kind::f32;
    else if constexpr (std::is_same_v<T, const char*>) return Field::Kind::text;
    else {
        static_assert(std::is_array_v<T>);
        return Field::Kind::chars;
    }
}

template <class T>
T load(const void* from, std::size_t offset) {
    T value;
    std::memcpy(&value, static_cast<const char*>(from) + offset, sizeof value);
    return value;
}

template <class T>
void store(void* to, std::size_t offset, T value) {
    std::memcpy(static_cast<char*>(to) + offset, &value, sizeof value);
}

napi_value to_javascript(napi_env env, const Field& field, const void* from) {
    switch (field.kind) {
        case Field::Kind::u32: return number(env, load<uint32_t>(from, field.offset));
        case Field::Kind::i32: return boolean(env, load<int32_t>(from, field.offset) != 0);
        case Field::Kind::u64: return number(env, static_cast<double>(load<uint64_t>(from, field.offset)));
        case Field::Kind::f32: return number(env, load<float>(from, field.offset));
        case Field::Kind::text: return string(env, std::string_view(load<const char*>(from, field.offset)));
        case Field::Kind::chars: break;
    }
    return string(env, std::string_view(static_cast<const char*>(from) + field.offset));
}

}  // namespace

double integer(napi_env env, napi_value value, const std::string& name, double low, double high) {
    if (type_of(env, value) == napi_boolean) {
        bool flag = false;
        check(env, napi_get_value_bool(env, value, &flag));
        return flag;
    }
    const double number = read_number(env, value, name);
    if (!(number >= low && number <= high) || number != std::floor(number)) {
        char text[96];
        std::snprintf(text, sizeof text, ": %.17g is not allowed; expected a whole number, %.0f to %.0f", number, low,
                      high);
        throw Failure{"invalid_argument", name + text};
    }
    return number;
}

napi_value record(napi_env env, Fields fields, const void* from) {
    const napi_value value = object(env);
    for (const Field& field : fields) set(env, value, field.name.c_str(), to_javascript(env, field, from));
    return value;
}

void fill(napi_env env, napi_value from, Fields fields, void* to, std::deque<std::string>& texts) {
    if (absent(env, from)) return;
    for (const Field& field : fields) {
        const napi_value value = get(env, from, field.name.c_str());
        if (absent(env, value)) continue;
        switch (field.kind) {
            case Field::Kind::u32:
                store(to, field.offset, static_cast<uint32_t>(integer(env, value, field.name, 0, UINT32_MAX)));
                break;
            case Field::Kind::i32:
                store(to, field.offset, static_cast<int32_t>(integer(env, value, field.name, INT32_MIN, INT32_MAX)));
                break;
            case Field::Kind::u64:
                store(to, field.offset, static_cast<uint64_t>(integer(env, value, field.name, 0, 9007199254740991.0)));
                break;
            case Field::Kind::f32:
                store(to, field.offset, static_cast<float>(read_number(env, value, field.name)));
                break;
            case Field::Kind::text: {
                const std::string& text = texts.emplace_back(read_string(env, value, field.name));
                if (text.find('\0') != std::string::npos)
                    throw Failure{"invalid_argument", field.name + ": holds a zero byte"};
                store(to, field.offset, text.c_str());
                break;
            }
            case Field::Kind::chars: break;  // of information
        }
    }
}

#define FIELD(field) Field{camel_case(#field), kind_of<decltype(Struct::field)>(), offsetof(Struct, field)}

template <>
Fields fields<dragoman_translate_options>() {
    using Struct = dragoman_translate_options;
    static const Field all[] = {
        FIELD(beam_size),
        FIELD(patience),
        FIELD(length_penalty),
        FIELD(coverage_penalty),
        FIELD(repetition_penalty),
        FIELD(no_repeat_ngram_size),
        FIELD(prefix_bias_beta),
        FIELD(max_input_length),
        FIELD(max_decoding_length),
        FIELD(min_decoding_length),
        FIELD(num_hypotheses),
        FIELD(min_alternative_expansion_prob),
        FIELD(disable_unk),
        FIELD(return_end_token),
        FIELD(return_scores),
        FIELD(return_attention),
        FIELD(return_alternatives),
        FIELD(replace_unknowns),
        FIELD(max_batch_tokens),
        FIELD(max_batch_size),
        FIELD(search),
        FIELD(word_penalty),
        FIELD(max_length_factor),
        FIELD(early_stopping),
        FIELD(source_language),
        FIELD(target_language),
        FIELD(split_sentences),
        FIELD(join_lines),
        FIELD(max_segment_tokens),
        FIELD(discard_tokens),
        FIELD(attention_layer),
        FIELD(attention_head),
        FIELD(use_shortlist),
    };
    return all;
}

template <>
Fields fields<dragoman_model_options>() {
    using Struct = dragoman_model_options;
    static const Field all[] = {
        FIELD(compute_type), FIELD(device), FIELD(cache_dir), FIELD(memory_limit_bytes), FIELD(validation),
    };
    return all;
}

template <>
Fields fields<dragoman_score_options>() {
    using Struct = dragoman_score_options;
    static const Field all[] = {
        FIELD(max_input_length),
    };
    return all;
}

template <>
Fields fields<dragoman_convert_options>() {
    using Struct = dragoman_convert_options;
    static const Field all[] = {
        FIELD(weight_type), FIELD(replace),
    };
    return all;
}

template <>
Fields fields<dragoman_bench_options>() {
    using Struct = dragoman_bench_options;
    static const Field all[] = {
        FIELD(repeat), FIELD(latency_samples), FIELD(synthetic_sentences), FIELD(synthetic_tokens), FIELD(seed),
        FIELD(ceilings), FIELD(passes),
    };
    return all;
}

template <>
Fields fields<dragoman_device_info>() {
    using Struct = dragoman_device_info;
    static const Field all[] = {
        FIELD(index), FIELD(name), FIELD(driver), FIELD(vendor_id), FIELD(device_id), FIELD(driver_version),
        FIELD(subgroup_size), FIELD(f16), FIELD(cooperative_matrix), FIELD(integer_dot_product),
        FIELD(unified_memory), FIELD(memory_bytes), FIELD(max_buffer_bytes),
    };
    return all;
}

template <>
Fields fields<dragoman_memory_info>() {
    using Struct = dragoman_memory_info;
    static const Field all[] = {
        FIELD(measured), FIELD(heap_bytes), FIELD(budget_bytes), FIELD(used_bytes), FIELD(held_bytes),
        FIELD(peak_bytes), FIELD(limit_bytes),
    };
    return all;
}

template <>
Fields fields<dragoman_model_info>() {
    using Struct = dragoman_model_info;
    static const Field all[] = {
        FIELD(path), FIELD(format), FIELD(family), FIELD(version), FIELD(license), FIELD(has_tokenizer),
        FIELD(d_model), FIELD(heads), FIELD(encoder_layers), FIELD(decoder_layers), FIELD(encoder_ffn),
        FIELD(decoder_ffn), FIELD(source_vocabulary), FIELD(target_vocabulary), FIELD(parameters),
        FIELD(file_bytes), FIELD(device_bytes), FIELD(stored_types), FIELD(compute_type),
    };
    return all;
}

template <>
Fields fields<dragoman_stats>() {
    using Struct = dragoman_stats;
    static const Field all[] = {
        FIELD(sentences), FIELD(source_tokens), FIELD(target_tokens), FIELD(batches), FIELD(decoder_steps),
        FIELD(dispatches_per_step), FIELD(padding_tokens), FIELD(submissions), FIELD(host_waits),
        FIELD(dispatches), FIELD(memory_bytes), FIELD(memory_peak_bytes), FIELD(host_peak_bytes),
    };
    return all;
}

}  // namespace addon
