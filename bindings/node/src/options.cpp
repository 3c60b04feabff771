// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cmath>
#include <cstring>
#include <span>
#include <type_traits>

namespace addon {
namespace {

enum class Kind { u32, i32, u64, f32, text };

struct Field {
    const char* name;
    Kind kind;
    std::size_t offset;
};

template <class T>
constexpr Kind kind_of() {
    if constexpr (std::is_same_v<T, uint32_t>) return Kind::u32;
    if constexpr (std::is_same_v<T, int32_t>) return Kind::i32;
    if constexpr (std::is_same_v<T, uint64_t>) return Kind::u64;
    if constexpr (std::is_same_v<T, float>) return Kind::f32;
    if constexpr (std::is_same_v<T, const char*>) return Kind::text;
}

#define FIELD(name, field) Field{name, kind_of<decltype(Options::field)>(), offsetof(Options, field)}

std::span<const Field> translate_fields() {
    using Options = dragoman_translate_options;
    static const Field fields[] = {
        FIELD("beamSize", beam_size),
        FIELD("patience", patience),
        FIELD("lengthPenalty", length_penalty),
        FIELD("coveragePenalty", coverage_penalty),
        FIELD("repetitionPenalty", repetition_penalty),
        FIELD("noRepeatNgramSize", no_repeat_ngram_size),
        FIELD("prefixBiasBeta", prefix_bias_beta),
        FIELD("maxInputLength", max_input_length),
        FIELD("maxDecodingLength", max_decoding_length),
        FIELD("minDecodingLength", min_decoding_length),
        FIELD("numHypotheses", num_hypotheses),
        FIELD("minAlternativeExpansionProb", min_alternative_expansion_prob),
        FIELD("disableUnk", disable_unk),
        FIELD("returnEndToken", return_end_token),
        FIELD("returnScores", return_scores),
        FIELD("returnAttention", return_attention),
        FIELD("returnAlternatives", return_alternatives),
        FIELD("replaceUnknowns", replace_unknowns),
        FIELD("maxBatchTokens", max_batch_tokens),
        FIELD("maxBatchSize", max_batch_size),
        FIELD("search", search),
        FIELD("wordPenalty", word_penalty),
        FIELD("maxLengthFactor", max_length_factor),
        FIELD("earlyStopping", early_stopping),
        FIELD("sourceLanguage", source_language),
        FIELD("targetLanguage", target_language),
        FIELD("splitSentences", split_sentences),
        FIELD("joinLines", join_lines),
        FIELD("maxSegmentTokens", max_segment_tokens),
        FIELD("discardTokens", discard_tokens),
        FIELD("attentionLayer", attention_layer),
        FIELD("attentionHead", attention_head),
        FIELD("useShortlist", use_shortlist),
    };
    return fields;
}

std::span<const Field> model_fields() {
    using Options = dragoman_model_options;
    static const Field fields[] = {
        FIELD("computeType", compute_type),
        FIELD("device", device),
        FIELD("cacheDir", cache_dir),
        FIELD("memoryLimitBytes", memory_limit_bytes),
        FIELD("validation", validation),
    };
    return fields;
}

std::span<const Field> score_fields() {
    using Options = dragoman_score_options;
    static const Field fields[] = {FIELD("maxInputLength", max_input_length)};
    return fields;
}

template <class T>
T integer(napi_env env, napi_value value, const char* name, double low, double high) {
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
        throw Failure{"invalid_argument", name + std::string(text)};
    }
    return static_cast<T>(number);
}

template <class T>
void store(void* options, std::size_t offset, T value) {
    std::memcpy(static_cast<char*>(options) + offset, &value, sizeof value);
}

void fill(napi_env env, napi_value from, std::span<const Field> fields, void* options, std::deque<std::string>* texts) {
    if (absent(env, from)) return;
    for (const Field& field : fields) {
        const napi_value value = get(env, from, field.name);
        if (absent(env, value)) continue;
        switch (field.kind) {
            case Kind::u32:
                store(options, field.offset, integer<uint32_t>(env, value, field.name, 0, UINT32_MAX));
                break;
            case Kind::i32:
                store(options, field.offset, integer<int32_t>(env, value, field.name, INT32_MIN, INT32_MAX));
                break;
            case Kind::u64:
                store(options, field.offset, integer<uint64_t>(env, value, field.name, 0, 9007199254740991.0));
                break;
            case Kind::f32:
                store(options, field.offset, static_cast<float>(read_number(env, value, field.name)));
                break;
            case Kind::text: {
                const std::string& text = texts->emplace_back(read_string(env, value, field.name));
                if (text.find('\0') != std::string::npos)
                    throw Failure{"invalid_argument", std::string(field.name) + ": holds a zero byte"};
                store(options, field.offset, text.c_str());
            }
        }
    }
}

}  // namespace

TranslateOptions::TranslateOptions(napi_env env, napi_value options) {
    check(dragoman_translate_options_init(&value));
    fill(env, options, translate_fields(), &value, &texts);
    if (absent(env, options)) return;
    if (const napi_value list = get(env, options, "suppressSequences"); !absent(env, list)) {
        suppress = Sequences(env, list, "suppressSequences");
        value.suppress_sequences = suppress.data();
        value.suppress_sequence_count = suppress.size();
    }
    if (const napi_value list = get(env, options, "endTokens"); !absent(env, list)) {
        ends = Texts(env, list, "endTokens");
        value.end_tokens = ends.size() ? ends.data() : nullptr;
        value.end_token_count = ends.size();
    }
}

ModelOptions::ModelOptions(napi_env env, napi_value options) {
    check(dragoman_model_options_init(&value));
    fill(env, options, model_fields(), &value, &texts);
}

ScoreOptions::ScoreOptions(napi_env env, napi_value options) {
    check(dragoman_score_options_init(&value));
    fill(env, options, score_fields(), &value, nullptr);
}

napi_value option_names(napi_env env) {
    const auto names = [env](std::span<const Field> fields, std::initializer_list<const char*> more) {
        napi_value list;
        check(env, napi_create_array(env, &list));
        uint32_t count = 0;
        for (const Field& field : fields) check(env, napi_set_element(env, list, count++, string(env, field.name)));
        for (const char* name : more) check(env, napi_set_element(env, list, count++, string(env, name)));
        return list;
    };
    const napi_value all = object(env);
    set(env, all, "translate", names(translate_fields(), {"suppressSequences", "endTokens"}));
    set(env, all, "model", names(model_fields(), {}));
    set(env, all, "score", names(score_fields(), {}));
    return all;
}

}  // namespace addon
