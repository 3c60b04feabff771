// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "serve/fields.h"
#include "serve/router.h"
#include "serve/services.h"

// What the imitated services share: languages, charging, and the shapes of /translate.
namespace serve::api {

// The languages of a request, as the service has them.
struct ShapeLanguages {
    std::string from, to;
    bool detected = false;   // `from` was found
    double confidence = 0;   // of that, 0 to 1; 0: nothing in the texts tells, and `from` is the likeliest
};

// `from` "" or "auto": found from the texts. `to` "": the only language that the service, or its first model,
// translates to from there, as services with one model have it. `html`: tags say nothing of the language. Throws
// Problem.
ShapeLanguages shape_languages(const Services& services, const std::vector<std::string>& texts, const std::string& from,
                               const std::string& to, bool html = false);

// Two served languages that a name ends with: "opus-mt-de-en", "dragoman-de-en"; empty ones: it does not.
ShapeLanguages languages_of_name(const Services& services, std::string_view name);

// What stands in a field that must be there; throws Problem (missing).
std::string needed_text(const Json& fields, const char* name);
Texts needed_texts(const Json& fields, const char* name);
Problem missing(const char* name);

// The first of several names that is there; "".
std::string first_text(const Json& fields, std::initializer_list<const char*> names);

// A translation's request, whose texts, of the field `name`, are charged for. Throws Problem.
work::Ask charged_ask(Services& services, const Call& call, const ShapeLanguages& languages,
                      std::vector<std::string> texts, const char* name);

// A text without what stands between '<' and '>'.
std::string without_tags(std::string_view markup);

// The log-probability of a translation; 0 for a copy.
float score_of(const work::Answer& answer, std::size_t text);

// Who asks POST /translate, told apart by fields. Each answers as the service it imitates, in its form of errors.
void answer_libretranslate(Services& services, Call& call);  // q
void answer_nemo_curator(Services& services, Call& call);  // texts
void answer_immersive(Services& services, Call& call);  // text_list
void answer_huggingface(Services& services, Call& call);  // inputs
void answer_mtuoc(Services& services, Call& call);  // src, a string
void answer_nmtwizard(Services& services, Call& call);  // src, a list of {text}
void answer_opennmt(Services& services, Call& call);  // a list of {src}
void answer_deeplx(Services& services, Call& call);  // text
void answer_mtranserver(Services& services, Call& call);  // text, from, to
void answer_nllb_serve(Services& services, Call& call);  // source, src_lang, tgt_lang
void answer_modernmt(Services& services, Call& call);  // GET, q

// Who asks POST /detect besides LibreTranslate's clients.
void detect_mtranserver(Services& services, Call& call);  // text

http::Response libretranslate_error(const Problem& problem);
http::Response nmtwizard_error(const Problem& problem);
http::Response opennmt_error(const Problem& problem);
http::Response deeplx_error(const Problem& problem);
http::Response nllb_serve_error(const Problem& problem);
http::Response mtranserver_error(const Problem& problem);
http::Response modernmt_error(const Problem& problem);

}  // namespace serve::api
