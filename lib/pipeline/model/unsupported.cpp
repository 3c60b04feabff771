// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/unsupported.h"

#include <fmt/format.h>

namespace dragoman::pipeline {

std::vector<std::string> unsupported(const spec::ModelSpec& spec) {
    std::vector<std::string> list;
    if (!spec.config.has_encoder()) {
        list.push_back("translation (a decoder-only model, which continues texts)");
        list.push_back("attention");
    }
    if (spec.config.decoder.layers == 0) list.push_back("translations (an encoder-only model: vectors of texts)");
    if (!spec.config.has_encoder() || spec.recurrent || !spec.ensemble.others.empty())
        list.push_back("vectors of texts");
    if (!spec.has_tokenizer()) {
        list.push_back(fmt::format("texts (no tokenizer: {}only tokens)",
                                   spec.no_tokenizer.empty() ? "" : spec.no_tokenizer + "; "));
    }
    if (spec.languages().source.empty() && spec.languages().target.empty()) list.push_back("names of languages");
    if (!spec.shortlist) list.push_back("shortlist");
    else if (!spec.ensemble.others.empty()) list.push_back("shortlist (of an ensemble)");
    if (spec.recurrent && spec.recurrent->decoder_layers > 1) list.push_back("attention of layers after the first");
    return list;
}

}  // namespace dragoman::pipeline
