// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "formats/ctranslate2_container.h"
#include "spec/transformer_config.h"

namespace dragoman::families {

// The variables of an encoder-decoder Transformer under the names of the current TransformerSpec, whatever revision the
// file has. Throws unsupported for specs that are not translation models.
class Ct2Variables {
public:
    explicit Ct2Variables(const formats::Ct2Container& container);

    const formats::Ct2Container::Variable* find(std::string_view name) const;
    std::size_t size() const { return variables_.size(); }
    uint32_t revision() const { return revision_; }
    std::string_view spec() const { return spec_; }

    // True when a variable lies under this scope ("encoder/layer_0/").
    bool has_scope(std::string_view scope) const;
    // One number of any type; nullopt when the variable is missing. Throws bad_model when it is not one number.
    std::optional<double> scalar(std::string_view name) const;
    bool flag(std::string_view name, bool absent) const;

    const std::map<std::string, formats::Ct2Container::Variable, std::less<>>& all() const { return variables_; }

private:
    std::string spec_;
    uint32_t revision_;
    std::map<std::string, formats::Ct2Container::Variable, std::less<>> variables_;
};

// Throws unsupported, with the feature's name, for features that nn/ has no blocks for, and bad_model for
// contradictions. norm_epsilon: from config.json, if it is there.
spec::TransformerConfig read_transformer_config(const Ct2Variables& variables, std::optional<float> norm_epsilon);

}  // namespace dragoman::families
