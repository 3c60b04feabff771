// SPDX-License-Identifier: Apache-2.0
// Sentences and tokens of texts.
#include "addon.h"

namespace addon {
namespace {

int32_t side(napi_env env, napi_value value) {
    const std::string name = read_string(env, value, "side");
    if (name == "source") return DRAGOMAN_SIDE_SOURCE;
    if (name == "target") return DRAGOMAN_SIDE_TARGET;
    throw Failure{"invalid_argument", "side is '" + name + "': expected 'source' or 'target'"};
}

napi_value guesses(napi_env env, const dragoman_detection* languages, std::size_t text) {
    napi_value list;
    const std::size_t count = dragoman_detection_guess_count(languages, text);
    check(env, napi_create_array_with_length(env, count, &list));
    for (std::size_t i = 0; i < count; ++i) {
        dragoman_language_guess guess;
        dragoman_language_guess_init(&guess);
        check(dragoman_detection_guess(languages, text, i, &guess));
        const napi_value item = object(env);
        set(env, item, "tag", string(env, dragoman_str(guess.tag)));
        set(env, item, "name", string(env, dragoman_str(guess.name)));
        set(env, item, "probability", number(env, guess.probability));
        check(env, napi_set_element(env, list, static_cast<uint32_t>(i), item));
    }
    return list;
}

// splitSentences(text, language, join lines): [begin, end, begin, end, ...] in bytes
napi_value split(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        const std::string text = read_string(env, arguments[0], "text");
        const std::string language = absent(env, arguments[1]) ? "" : read_string(env, arguments[1], "language");
        bool join = false;
        if (!absent(env, arguments[2])) check(env, napi_get_value_bool(env, arguments[2], &join));
        const dragoman_string view{text.data(), text.size()};
        dragoman_range_list* raw = nullptr;
        check(dragoman_split_sentences(&view, language.c_str(), join, &raw));
        const Shared<dragoman_range_list> ranges(raw, dragoman_range_list_destroy);
        return array(env, dragoman_ranges{dragoman_range_list_data(raw), dragoman_range_list_count(raw)});
    });
}

// tokenize(model, side, texts): promise of [{tokens, ranges}]
napi_value tokenize(napi_env env, napi_callback_info info) {
    using Lists = Shared<dragoman_token_lists>;
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        auto texts = std::make_shared<Texts>(env, arguments[2], "texts");
        return Work<Lists>::start(
            env,
            [model = handle<dragoman_model>(env, arguments[0]), where = side(env, arguments[1]), texts] {
                dragoman_token_lists* lists = nullptr;
                check(dragoman_tokenize(model.get(), where, texts->data(), texts->size(), &lists));
                return Lists(lists, dragoman_token_lists_destroy);
            },
            [](napi_env env, Lists& lists) {
                napi_value list;
                const std::size_t count = dragoman_token_lists_count(lists.get());
                check(env, napi_create_array_with_length(env, count, &list));
                for (std::size_t i = 0; i < count; ++i) {
                    dragoman_tokens tokens{};
                    dragoman_ranges ranges{};
                    check(dragoman_token_lists_get(lists.get(), i, &tokens));
                    check(dragoman_token_lists_ranges(lists.get(), i, &ranges));
                    const napi_value item = object(env);
                    set(env, item, "tokens", array(env, tokens));
                    set(env, item, "ranges", array(env, ranges));
                    check(env, napi_set_element(env, list, static_cast<uint32_t>(i), item));
                }
                return list;
            });
    });
}

// hasToken(model, side, token)
napi_value has_token(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        const std::string token = read_string(env, arguments[2], "token");
        if (token.find('\0') != std::string::npos) throw Failure{"invalid_argument", "token: holds a zero byte"};
        int32_t known = 0;
        const auto model = handle<dragoman_model>(env, arguments[0]);
        check(dragoman_model_has_token(model.get(), side(env, arguments[1]), token.c_str(), &known));
        return boolean(env, known == 1);
    });
}

// detokenize(model, side, sequences): promise of [text]
napi_value detokenize(napi_env env, napi_callback_info info) {
    using List = Shared<dragoman_text_list>;
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        auto sequences = std::make_shared<Sequences>(env, arguments[2], "sequences");
        return Work<List>::start(
            env,
            [model = handle<dragoman_model>(env, arguments[0]), where = side(env, arguments[1]), sequences] {
                dragoman_text_list* texts = nullptr;
                check(dragoman_detokenize(model.get(), where, sequences->data(), sequences->size(), &texts));
                return List(texts, dragoman_text_list_destroy);
            },
            [](napi_env env, List& texts) {
                napi_value list;
                const std::size_t count = dragoman_text_list_count(texts.get());
                check(env, napi_create_array_with_length(env, count, &list));
                for (std::size_t i = 0; i < count; ++i) {
                    dragoman_string text{};
                    check(dragoman_text_list_get(texts.get(), i, &text));
                    check(env, napi_set_element(env, list, static_cast<uint32_t>(i), string(env, text)));
                }
                return list;
            });
    });
}

// loadGlossary(path, from, to), readGlossary(content, from, to): promise of a handle
template <bool File>
napi_value make_glossary(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        return Work<Shared<dragoman_glossary>>::start(
            env,
            [text = read_string(env, arguments[0], File ? "path" : "content"),
             from = read_string(env, arguments[1], "sourceLanguage"),
             to = read_string(env, arguments[2], "targetLanguage")] {
                dragoman_glossary* glossary = nullptr;
                const dragoman_string content{text.data(), text.size()};
                if constexpr (File) check(dragoman_glossary_load(text.c_str(), from.c_str(), to.c_str(), &glossary));
                else check(dragoman_glossary_read(&content, from.c_str(), to.c_str(), &glossary));
                return own(glossary);
            },
            [](napi_env env, Shared<dragoman_glossary>& made) { return external(env, std::move(made)); });
    });
}

napi_value glossary_size(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const auto glossary = handle<dragoman_glossary>(env, Arguments<1>(env, info)[0]);
        return number(env, static_cast<double>(dragoman_glossary_count(glossary.get())));
    });
}

// detectLanguages(texts, expected): promise of [[{tag, name, probability}]]
napi_value detect(napi_env env, napi_callback_info info) {
    using List = Shared<dragoman_detection>;
    return guard(env, [&] {
        const Arguments<2> arguments(env, info);
        auto texts = std::make_shared<Texts>(env, arguments[0], "texts");
        return Work<List>::start(
            env,
            [texts, expected = read_string(env, arguments[1], "expected")] {
                dragoman_detection* languages = nullptr;
                check(dragoman_detect_languages(texts->data(), texts->size(), expected.c_str(), &languages));
                return List(languages, dragoman_detection_destroy);
            },
            [](napi_env env, List& languages) {
                napi_value list;
                const std::size_t count = dragoman_detection_count(languages.get());
                check(env, napi_create_array_with_length(env, count, &list));
                for (std::size_t i = 0; i < count; ++i)
                    check(env, napi_set_element(env, list, uint32_t(i), guesses(env, languages.get(), i)));
                return list;
            });
    });
}

// embed(model, texts, options): promise of {width, all, texts: [{tokens, ranges}]}; the texts only for tokens' vectors
napi_value embed(napi_env env, napi_callback_info info) {
    struct Call {
        Shared<dragoman_model> model;
        Texts texts;
        EmbedOptions options;
    };
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        auto call = std::make_shared<Call>(Call{handle<dragoman_model>(env, arguments[0]),
                                                Texts(env, arguments[1], "texts"), EmbedOptions(env, arguments[2])});
        const bool of_tokens = call->options.value.pooling == DRAGOMAN_POOLING_TOKENS;
        return Work<Shared<dragoman_vectors>>::start(
            env,
            [call] {
                dragoman_vectors* vectors = nullptr;
                check(dragoman_embed_texts(call->model.get(), call->texts.data(), call->texts.size(),
                                           &call->options.value, &vectors));
                return own(vectors);
            },
            [of_tokens](napi_env env, Shared<dragoman_vectors>& vectors) {
                const napi_value result = object(env);
                dragoman_matrix all{};
                check(dragoman_vectors_all(vectors.get(), &all));
                set(env, result, "all", matrix(env, all));
                napi_value list;
                const std::size_t count = of_tokens ? dragoman_vectors_count(vectors.get()) : 0;
                check(env, napi_create_array_with_length(env, count, &list));
                for (std::size_t i = 0; i < count; ++i) {
                    dragoman_tokens tokens{};
                    dragoman_ranges ranges{};
                    check(dragoman_vectors_tokens(vectors.get(), i, &tokens));
                    check(dragoman_vectors_ranges(vectors.get(), i, &ranges));
                    const napi_value item = object(env);
                    set(env, item, "tokens", array(env, tokens));
                    set(env, item, "ranges", array(env, ranges));
                    check(env, napi_set_element(env, list, static_cast<uint32_t>(i), item));
                }
                set(env, result, "texts", list);
                return result;
            });
    });
}

}  // namespace

void add_texts(napi_env env, napi_value exports) {
    add(env, exports, "splitSentences", split);
    add(env, exports, "tokenize", tokenize);
    add(env, exports, "hasToken", has_token);
    add(env, exports, "detokenize", detokenize);
    add(env, exports, "loadGlossary", make_glossary<true>);
    add(env, exports, "readGlossary", make_glossary<false>);
    add(env, exports, "glossarySize", glossary_size);
    add(env, exports, "closeGlossary", close<dragoman_glossary>);
    add(env, exports, "detectLanguages", detect);
    add(env, exports, "embed", embed);
}

}  // namespace addon
