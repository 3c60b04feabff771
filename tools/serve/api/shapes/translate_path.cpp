// SPDX-License-Identifier: Apache-2.0
#include "serve/api/api.h"
#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

struct Shape {
    void (*answer)(Services& services, Call& call);
    ErrorForm error;
};

bool is_list(const Json& fields, const char* name) {
    const Json* value = find(fields, name);
    return value && value->is_array();
}

// Whose request it is; what fits nobody is read as LibreTranslate's, whose errors say what is missing.
Shape posted_shape(const Json& fields) {
    const bool has_languages = has(fields, "src_lang") || has(fields, "tgt_lang");
    if (fields.is_array() && !fields.empty()) return {answer_opennmt, opennmt_error};
    if (has(fields, "q")) return {answer_libretranslate, libretranslate_error};
    if (has(fields, "texts")) return {answer_nemo_curator, nullptr};
    if (has(fields, "text_list")) return {answer_immersive, nullptr};
    if (has(fields, "inputs")) return {answer_huggingface, nullptr};
    if (is_list(fields, "src")) return {answer_nmtwizard, nmtwizard_error};
    if (has(fields, "src")) return {answer_mtuoc, nullptr};
    if (has(fields, "text") && has(fields, "to")) return {answer_mtranserver, mtranserver_error};
    if (has(fields, "text")) return {answer_deeplx, deeplx_error};
    if (has(fields, "source") && has_languages) return {answer_nllb_serve, nllb_serve_error};
    return {answer_libretranslate, libretranslate_error};
}

Shape asked_shape(const Json& fields) {
    if (has(fields, "q")) return {answer_modernmt, modernmt_error};
    return {answer_nllb_serve, nllb_serve_error};
}

// Problems are answered as that service would, too.
void answer(const Shape& shape, Services& services, Call& call) {
    try {
        shape.answer(services, call);
    } catch (const Problem& problem) {
        send_problem(*call.exchange, problem, shape.error);
    }
}

}  // namespace

void add_translate_path(Router& router, Services& services) {
    Route route;
    route.method = "POST";
    route.path = "/translate";
    route.error = libretranslate_error;
    route.key_headers = {{"Authorization"}, {"X-API-Token"}};  // MTranServer's
    route.key_fields = {"api_key", "token", "api_token"};
    route.handler = [&services](Call& call) { answer(posted_shape(call.fields), services, call); };
    router.add(route);
    route.path = "/translator/translate";  // OpenNMT-py's own root
    router.add(route);
    route.method = "GET";
    route.path = "/translate";
    route.handler = [&services](Call& call) { answer(asked_shape(call.fields), services, call); };
    router.add(std::move(route));
}

}  // namespace serve::api
