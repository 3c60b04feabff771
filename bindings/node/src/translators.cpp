// SPDX-License-Identifier: Apache-2.0
// Translators and scores.
#include "addon.h"

namespace addon {
namespace {

// createTranslator(model): promise of a handle
napi_value create(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        return Work<Shared<dragoman_translator>>::start(
            env,
            [model = handle<dragoman_model>(env, Arguments<1>(env, info)[0])] {
                dragoman_translator* translator = nullptr;
                check(dragoman_translator_create(model.get(), &translator));
                return own(translator);
            },
            [](napi_env env, Shared<dragoman_translator>& made) { return external(env, std::move(made)); });
    });
}

// createRoute(models, from, to): promise of a handle
napi_value create_route(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        std::vector<Shared<dragoman_model>> models;
        uint32_t count = 0;
        check(env, napi_get_array_length(env, arguments[0], &count));
        for (uint32_t i = 0; i < count; ++i) {
            napi_value item;
            check(env, napi_get_element(env, arguments[0], i, &item));
            models.push_back(handle<dragoman_model>(env, item));
        }
        return Work<Shared<dragoman_translator>>::start(
            env,
            [models, from = read_string(env, arguments[1], "sourceLanguage"),
             to = read_string(env, arguments[2], "targetLanguage")] {
                std::vector<const dragoman_model*> views;
                for (const auto& model : models) views.push_back(model.get());
                dragoman_translator* translator = nullptr;
                check(dragoman_translator_create_route(views.data(), views.size(), from.c_str(), to.c_str(),
                                                       &translator));
                return own(translator);
            },
            [](napi_env env, Shared<dragoman_translator>& made) { return external(env, std::move(made)); });
    });
}

// score(translator, sources, targets, options), scoreTexts(...): promise of a handle
template <class Inputs, auto Function>
napi_value score(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<4> arguments(env, info);
        struct Call {
            Shared<dragoman_translator> translator;
            Inputs sources, targets;
            ScoreOptions options;
        };
        auto call = std::make_shared<Call>(Call{handle<dragoman_translator>(env, arguments[0]),
                                                Inputs(env, arguments[1], "sources"),
                                                Inputs(env, arguments[2], "targets"), ScoreOptions(env, arguments[3])});
        if (call->targets.size() != call->sources.size())
            throw Failure{"invalid_argument", "targets: " + std::to_string(call->targets.size()) + " for " +
                                                  std::to_string(call->sources.size()) + " inputs"};
        return Work<Shared<dragoman_scores>>::start(
            env,
            [call] {
                dragoman_scores* scores = nullptr;
                check(Function(call->translator.get(), call->sources.data(), call->targets.data(), call->sources.size(),
                               &call->options.value, &scores));
                return own(scores);
            },
            [](napi_env env, Shared<dragoman_scores>& scores) { return external(env, std::move(scores)); });
    });
}

// Functions that wait for the translator's turn return promises.
napi_value stats(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        return Work<dragoman_stats>::start(
            env,
            [translator = handle<dragoman_translator>(env, Arguments<1>(env, info)[0])] {
                dragoman_stats stats;
                dragoman_stats_init(&stats);
                check(dragoman_translator_stats(translator.get(), &stats));
                return stats;
            },
            [](napi_env env, dragoman_stats& stats) { return record(env, stats); });
    });
}

template <dragoman_status (*Function)(dragoman_translator*)>
napi_value simple(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        return Work<bool>::start(
            env,
            [translator = handle<dragoman_translator>(env, Arguments<1>(env, info)[0])] {
                check(Function(translator.get()));
                return true;
            },
            [](napi_env env, bool&) { return undefined(env); });
    });
}

}  // namespace

void add_translators(napi_env env, napi_value exports) {
    add(env, exports, "createTranslator", create);
    add(env, exports, "createRoute", create_route);
    add(env, exports, "score", score<Sequences, dragoman_score_tokens>);
    add(env, exports, "scoreTexts", score<Texts, dragoman_score_texts>);
    add(env, exports, "stats", stats);
    add(env, exports, "resetStats", simple<dragoman_translator_reset_stats>);
    add(env, exports, "trim", simple<dragoman_translator_trim>);
    add(env, exports, "closeTranslator", close<dragoman_translator>);
}

}  // namespace addon
