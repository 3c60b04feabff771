// SPDX-License-Identifier: Apache-2.0
#include "families/marian/names.h"

#include <fmt/format.h>

#include "formats/yaml_map.h"

namespace dragoman::families {
namespace {

constexpr const char* kModelMark = "decoder_c_tt";  // an empty parameter that only such files have
constexpr uint32_t kMaxTransitions = 64;

using RecurrentNames = std::map<std::string, std::string>;

// Adds a part of a cell: "U", "bx_lns" ... Transitions are later cells of a layer, which have no input.
void add_cell_part(RecurrentNames& names, const std::string& part, const std::string& end) {
    const std::string whole = part + end;
    names["encoder_" + whole] = "encoder_bi_" + whole;
    names["encoder_r_" + whole] = "encoder_bi_r_" + whole;
    names["decoder_" + whole] = "decoder_cell1_" + whole;
    names[fmt::format("decoder_{}_nl{}", part, end)] = "decoder_cell2_" + whole;
    for (uint32_t i = 1; i < kMaxTransitions; ++i) {
        names[fmt::format("encoder_{}_drt_{}{}", part, i, end)] = fmt::format("encoder_bi_cell{}_{}", i + 1, whole);
        names[fmt::format("encoder_r_{}_drt_{}{}", part, i, end)] = fmt::format("encoder_bi_r_cell{}_{}", i + 1, whole);
        names[fmt::format("decoder_{}_nl_drt_{}{}", part, i, end)] = fmt::format("decoder_cell{}_{}", i + 2, whole);
    }
}

RecurrentNames s2s_names() {
    RecurrentNames names{{"Wemb_dec", "decoder_Wemb"}};
    for (const char* part : {"W", "b", "gamma", "ln_s", "ln_b"}) {
        names[fmt::format("ff_state_{}", part)] = fmt::format("decoder_ff_state_{}", part);
        names[fmt::format("ff_logit_{}", part)] = fmt::format("decoder_ff_logit_l2_{}", part);
        uint32_t input = 0;
        for (const char* of : {"prev", "lstm", "ctx"})
            names[fmt::format("ff_logit_{}_{}", of, part)] = fmt::format("decoder_ff_logit_l1_{}{}", part, input++);
    }
    for (uint32_t input = 0; input < 3; ++input)
        names[fmt::format("ff_logit_l1_gamma{}", input)] = fmt::format("decoder_ff_logit_l1_gamma{}", input);
    for (const char* end : {"", "_lns", "_lnb"}) {
        for (const char* part : {"U", "Ux", "W", "Wx", "b", "bx", "gamma1", "gamma2"}) add_cell_part(names, part, end);
        names[fmt::format("decoder_Wc{}", end)] = fmt::format("decoder_cell2_W{}", end);
        names[fmt::format("decoder_Wcx{}", end)] = fmt::format("decoder_cell2_Wx{}", end);
    }
    return names;
}

}  // namespace

formats::MarianFile with_s2s_names(formats::MarianFile file) {
    if (!file.find(kModelMark)) return file;
    RecurrentNames names = s2s_names();
    const formats::YamlMap options(file.name + ": special:model.yml", file.options);
    if (!options.flag("tied-embeddings-src", false) && !options.flag("tied-embeddings-all", false))
        names["Wemb"] = "encoder_Wemb";
    decltype(file.parameters) parameters;
    for (auto& [name, parameter] : file.parameters) {
        const auto found = names.find(name);
        parameters.emplace(found == names.end() ? name : found->second, std::move(parameter));
    }
    file.parameters = std::move(parameters);
    return file;
}

}  // namespace dragoman::families
