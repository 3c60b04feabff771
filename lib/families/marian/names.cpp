// SPDX-License-Identifier: Apache-2.0
#include "families/marian/names.h"

#include <charconv>

#include "base/error.h"

namespace dragoman::families {
namespace {

// A part of a sub-layer and the ends of the parameters' names, with W for weights and b for biases put before.
struct MarianPart {
    std::string_view block, name;
    std::vector<std::string_view> ends;
};

const MarianPart kMarianParts[] = {
    {"self_attention", "linear_0", {"q", "k", "v"}},
    {"self_attention", "linear_1", {"o"}},
    {"attention", "linear_0", {"q"}},
    {"attention", "linear_1", {"k", "v"}},
    {"attention", "linear_2", {"o"}},
    {"rnn", "candidate", {""}},
    {"rnn", "forget", {"f"}},
    {"rnn", "input", {"", "x"}},
    {"rnn", "output", {"o"}},
    {"average", "input_gate", {"i"}},
    {"average", "forget_gate", {"f"}},
};

// Takes the text up to the next '/' off the front.
std::string_view next(std::string_view& path) {
    const auto end = path.find('/');
    const std::string_view head = path.substr(0, end);
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
    return head;
}

uint32_t number_after(std::string_view text, std::string_view begin) {
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + begin.size(), text.data() + text.size(), number);
    DRAGOMAN_ASSERT(text.starts_with(begin) && error == std::errc{} && end == text.data() + text.size());
    return number;
}

std::string norm(const std::string& scope, char letter, bool before, std::string_view kind) {
    return fmt::format("{}_{}_{}{}", scope, letter == 'r' ? "rms" : "ln", kind == "gamma" ? "scale" : "bias",
                       before ? "_pre" : "");
}

char norm_letter(const std::string& order) {
    const auto at = order.find_first_of("nr");
    return at == std::string::npos ? '\0' : order[at];
}

// Where a sub-layer keeps its norms and highway gate: after the projection that ends it.
std::string scope_of_norm(const std::string& prefix, std::string_view block, bool before) {
    if (block == "self_attention" || block == "attention") return prefix + "_Wo";
    return block == "rnn" && before ? prefix : prefix + "_ffn";
}

}  // namespace

std::vector<std::string> marian_names(std::string_view canonical, const spec::TransformerConfig& config,
                                      const std::vector<uint32_t>& decoder_layers) {
    const std::string stack(next(canonical));
    const spec::StackConfig& order = stack == "encoder" ? config.encoder : config.decoder;
    const std::string_view layer = next(canonical);
    if (layer == "layernorm_embedding")
        return {norm(stack + "_emb", norm_letter(order.after_embedding), true, canonical)};
    if (layer == "layer_norm") return {norm(stack + "_top", norm_letter(order.after_stack), false, canonical)};
    const std::string_view matrix = canonical.ends_with("weight") ? "W" : "b";
    if (layer == "highway") return {fmt::format("{}_top_{}h", stack, matrix)};
    const uint32_t index = number_after(layer, "layer_");
    const uint32_t number = stack == "encoder" ? index + 1 : decoder_layers.at(index);

    const std::string_view block = next(canonical);
    const std::string_view short_name = block == "self_attention" ? "self"
                                        : block == "attention"    ? "context"
                                        : block == "average"      ? "aan"
                                                                  : block;
    const std::string prefix = fmt::format("{}_l{}_{}", stack, number, short_name);
    const std::string_view name = next(canonical),
                           kind = name == "ffn" ? canonical.substr(canonical.find('/') + 1) : canonical;
    if (name == "layer_norm" || name == "output_layer_norm") {
        const char before = norm_letter(order.before);
        const bool is_before = name == "layer_norm" && before;
        return {norm(scope_of_norm(prefix, block, is_before), is_before ? before : norm_letter(order.after), is_before,
                     kind)};
    }
    if (name == "highway") return {fmt::format("{}_{}h", scope_of_norm(prefix, block, false), matrix)};
    if (name == "candidate_norm") return {prefix + "_gamma"};
    if (name == "forget_norm") return {prefix + "_gammaf"};
    // Without biases of their own.
    if ((name == "candidate" || name == "state") && kind == "bias") return {};
    if (name == "state") return {prefix + "_U", prefix + "_Ux"};
    if (block == "ffn" || name == "ffn") {
        const std::string_view linear = block == "ffn" ? name : canonical.substr(0, canonical.find('/'));
        return {fmt::format("{}_{}{}", prefix, matrix, number_after(linear, "linear_") + 1)};
    }
    for (const MarianPart& part : kMarianParts) {
        if (part.block != block || part.name != name) continue;
        std::vector<std::string> names;
        for (const auto end : part.ends) names.push_back(fmt::format("{}_{}{}", prefix, matrix, end));
        return names;
    }
    return {};
}

}  // namespace dragoman::families
