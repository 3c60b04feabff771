// SPDX-License-Identifier: Apache-2.0
#include "families/marian/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <tuple>

#include "base/error.h"
#include "formats/yaml_map.h"

namespace dragoman::families {
namespace {

// No model comes near these; they keep forged numbers from costing memory.
constexpr uint32_t kMaxMarianWidth = 1u << 16, kMaxMarianLayers = 1u << 10, kMaxMarianDepth = 64;
constexpr float kMarianNormEpsilon = 1e-6f;

// Up to 1.12.0 Marian took x * sigmoid(1.702 x) for GELU, since then GELU itself. Files without a version are old.
bool has_exact_gelu(const formats::YamlMap& options) {
    unsigned major = 0, minor = 0, patch = 0;
    std::sscanf(options.text("version", "").c_str(), "v%u.%u.%u", &major, &minor, &patch);
    return std::tuple(major, minor, patch) > std::tuple(1u, 12u, 0u);
}

Activation activation(const formats::YamlMap& options, std::string_view key) {
    const std::string name = options.text(key, "swish");
    if (name == "relu") return Activation::relu;
    if (name == "swish") return Activation::swish;
    if (name == "gelu") return has_exact_gelu(options) ? Activation::gelu : Activation::gelu_sigmoid;
    fail(Status::unsupported, "{}: {}: expected relu, swish or gelu, file has {}", options.where(), key, name);
}

class MarianOptionsReader {
public:
    explicit MarianOptionsReader(const formats::MarianFile& file)
        : file_(file), options_(file.name + ": special:model.yml", file.options) {}

    MarianOptions read() {
        refuse();
        config_.d_model = size("dim-emb", 512, kMaxMarianWidth);
        stack(config_.encoder, "enc-depth", "");
        stack(config_.decoder, "dec-depth", "decoder-");
        embeddings();
        positions();
        autoregression();
        tied_layers();
        config_.start_from_zero_embedding = true;
        config_.alignment_layer = alignment_layer();
        result_.output_bias = !options_.flag("output-omit-bias", false);
        result_.right_to_left = options_.flag("right-left", false);
        return std::move(result_);
    }

private:
    void expect(std::string_view key, std::string_view absent, std::string_view supported) const {
        const std::string value = options_.text(key, absent);
        if (value != supported) {
            fail(Status::unsupported, "{}: {}: expected {}, file has {}", options_.where(), key, supported, value);
        }
    }

    // Refuses options that would change the network in ways that nn/ has no blocks for.
    void refuse() const {
        if (const std::string type = options_.text("type", "amun"); type != "transformer") {
            fail(Status::unsupported, "{}: type: expected transformer, s2s, nematus or amun, file has {}",
                 options_.where(), type);
        }
        expect("transformer-attention-mask", "default", "default");
        if (options_.flag("transformer-pool", false))
            fail(Status::unsupported, "{}: transformer-pool: expected false, file has true", options_.where());
        refuse_marian_inputs(options_);
    }

    uint32_t size(std::string_view key, uint32_t absent, uint32_t most) const {
        const uint32_t value = options_.number(key, absent, most);
        if (value == 0) {
            fail(Status::bad_model, "{}: {}: expected a number from 1 to {}, file has 0", options_.where(), key, most);
        }
        return value;
    }

    // The letters of an order of operations, dropout left out.
    std::string letters(std::string_view key, std::string_view absent, std::string_view allowed) const {
        std::string result;
        for (const char letter : options_.text(key, absent)) {
            if (letter == 'd') continue;
            if (allowed.find(letter) == std::string_view::npos) {
                fail(Status::unsupported, "{}: {}: expected letters of d{}, file has {}", options_.where(), key,
                     allowed, letter);
            }
            if (result.find(letter) != std::string::npos) {
                fail(Status::unsupported, "{}: {}: expected each letter once, file has {} twice", options_.where(), key,
                     letter);
            }
            result += letter;
        }
        if (result.find('n') != std::string::npos && result.find('r') != std::string::npos) {
            fail(Status::unsupported, "{}: {}: expected n or r, file has both", options_.where(), key);
        }
        return result;
    }

    void stack(spec::StackConfig& stack, std::string_view layers, std::string_view own) {
        const bool decoder = !own.empty();
        stack.layers = size(layers, 1, kMaxMarianLayers);
        stack.heads = size("transformer-heads", 8, config_.d_model);
        if (config_.d_model % stack.heads) {
            fail(Status::bad_model, "{}: transformer-heads: expected a divisor of dim-emb ({}), file has {}",
                 options_.where(), config_.d_model, stack.heads);
        }
        stack.head_dim = config_.d_model / stack.heads;
        uint32_t& ffn = decoder ? config_.decoder_ffn : config_.encoder_ffn;
        ffn = size("transformer-dim-ffn", 2048, kMaxMarianWidth);
        stack.ffn_depth = size("transformer-ffn-depth", 2, kMaxMarianDepth);
        if (decoder) {
            if (const auto width = options_.number("transformer-decoder-dim-ffn", 0, kMaxMarianWidth)) ffn = width;
            if (const auto depth = options_.number("transformer-decoder-ffn-depth", 0, kMaxMarianDepth))
                stack.ffn_depth = depth;
        }
        stack.activation = activation(options_, "transformer-ffn-activation");
        stack.attention_output = !options_.flag("transformer-no-projection", false);
        stack.norm_epsilon = kMarianNormEpsilon;
        order(stack);
    }

    void order(spec::StackConfig& stack) const {
        stack.before = letters("transformer-preprocess", "", "nr");
        stack.after = letters("transformer-postprocess", "dan", "nrah");
        stack.after_embedding = letters("transformer-postprocess-emb", "d", "nr");
        stack.after_stack = letters("transformer-postprocess-top", "", "nrah");
        for (const std::string norm : {"n", "r"}) {
            const auto none_or_norm = [&](const std::string& order) { return order.empty() || order == norm; };
            const bool pre = stack.before == norm && stack.after == "a";
            const bool post = stack.before.empty() && stack.after == "a" + norm;
            if (!(pre || post) || !none_or_norm(stack.after_embedding) || !none_or_norm(stack.after_stack)) continue;
            stack.pre_norm = pre;
            stack.embedding_norm = !stack.after_embedding.empty();
            stack.final_norm = !stack.after_stack.empty();
            stack.rms_norm = norm == "r";
            return;
        }
        stack.custom_order = true;
    }

    uint32_t rows(const std::string& name) const { return marian_rows(file_, name, config_.d_model); }

    void embeddings() {
        static_cast<MarianEmbeddings&>(result_) = read_marian_embeddings(options_, file_, "decoder_ff_logit_out_W");
        config_.source_vocabulary = rows(result_.source_embedding);
        config_.target_vocabulary = rows(result_.target_embedding);
    }

    void positions() {
        const bool none = options_.flag("transformer-disable-position-embeddings", false);
        const bool learned = file_.find("Wpos") != nullptr;
        for (spec::StackConfig* stack : {&config_.encoder, &config_.decoder}) {
            if (none) {
                stack->positions = spec::Positions::none;
            } else if (learned) {
                stack->positions = spec::Positions::table;
                stack->max_positions = rows("Wpos");
                stack->repeat_last_position = true;
            } else {
                stack->positions = spec::Positions::sinusoid;
                stack->first_position = 0;
                stack->embedding_scale = std::sqrt(static_cast<float>(config_.d_model));
            }
        }
    }

    void autoregression() {
        const std::string kind = options_.text("transformer-decoder-autoreg", "self-attention");
        if (kind == "self-attention") return;
        if (kind == "average-attention") return average_attention();
        if (kind != "rnn") {
            fail(Status::unsupported,
                 "{}: transformer-decoder-autoreg: expected self-attention, average-attention or "
                 "rnn, file has {}",
                 options_.where(), kind);
        }
        const std::string cell = options_.text("dec-cell", "gru");
        const bool norm = options_.flag("layer-normalization", false);
        if (cell == "ssru") {
            config_.autoregression = spec::Autoregression::ssru;
            config_.recurrence_norm = norm;
        } else if (cell == "gru") {
            config_.autoregression = spec::Autoregression::gru;
            if (norm) {
                fail(Status::unsupported, "{}: layer-normalization: expected false with dec-cell gru, file has true",
                     options_.where());
            }
        } else {
            fail(Status::unsupported, "{}: dec-cell: expected ssru or gru, file has {}", options_.where(), cell);
        }
        config_.recurrence_output = options_.flag("transformer-rnn-projection", false);
    }

    void average_attention() {
        config_.autoregression = spec::Autoregression::average_attention;
        config_.average_ffn = size("transformer-dim-aan", 2048, kMaxMarianWidth);
        config_.average_ffn_depth = size("transformer-aan-depth", 2, kMaxMarianDepth);
        config_.average_activation = activation(options_, "transformer-aan-activation");
        config_.average_gate = !options_.flag("transformer-aan-nogate", false);
    }

    void tied_layers() {
        const auto list = options_.list("transformer-tied-layers");
        const uint32_t layers = config_.decoder.layers;
        if (!list.empty() && list.size() != layers) {
            fail(Status::bad_model, "{}: transformer-tied-layers: expected {} numbers (dec-depth), file has {}",
                 options_.where(), layers, list.size());
        }
        for (uint32_t i = 0; i < layers; ++i)
            result_.decoder_layers.push_back(list.empty() ? i + 1 : layer("transformer-tied-layers", list[i]));
    }

    uint32_t layer(std::string_view key, const std::string& text) const {
        uint32_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size() || number < 1 || number > config_.decoder.layers) {
            fail(Status::bad_model, "{}: {}: expected layers from 1 to {}, file has {}", options_.where(), key,
                 config_.decoder.layers, text.substr(0, 60));
        }
        return number;
    }

    int32_t alignment_layer() const {
        constexpr std::string_view key = "transformer-guided-alignment-layer";
        const std::string text = options_.text(key, "last");
        return text == "last" ? -1 : static_cast<int32_t>(layer(key, text)) - 1;
    }

    const formats::MarianFile& file_;
    const formats::YamlMap options_;
    MarianOptions result_;
    spec::TransformerConfig& config_ = result_.config;
};

}  // namespace

void refuse_marian_inputs(const formats::YamlMap& options) {
    if (options.flag("ulr", false)) {
        fail(Status::unsupported, "{}: ulr: expected false, file has true", options.where());
    }
    if (const auto width = options.number("lemma-dim-emb", 0, kMaxMarianWidth)) {
        fail(Status::unsupported, "{}: lemma-dim-emb: expected 0 (no factors), file has {}", options.where(), width);
    }
    if (const auto streams = options.list("dim-vocabs"); streams.size() > 2) {
        fail(Status::unsupported, "{}: dim-vocabs: expected one source and one target, file has {} streams",
             options.where(), streams.size());
    }
    for (const std::string& type : options.list("input-types")) {
        if (type != "sequence") {
            fail(Status::unsupported, "{}: input-types: expected sequence, file has {}", options.where(), type);
        }
    }
}

uint32_t marian_rows(const formats::MarianFile& file, const std::string& name, uint32_t width) {
    const formats::MarianParameter* parameter = file.find(name);
    if (!parameter) fail(Status::bad_model, "{}: {}: expected an embedding, the file has none", file.name, name);
    const auto& shape = parameter->tensor.shape;
    if (shape.size() != 2 || shape[0] == 0 || shape[1] != width)
        fail(Status::bad_model, "{}: {}: expected rows of {} (dim-emb), file has {}", file.name, name, width,
             fmt::join(shape, "x"));
    return shape[0];
}

MarianEmbeddings read_marian_embeddings(const formats::YamlMap& options, const formats::MarianFile& file,
                                        const std::string& output) {
    const bool all = options.flag("tied-embeddings-all", false);
    const bool inputs = all || options.flag("tied-embeddings-src", false);
    const bool tied = all || options.flag("tied-embeddings", false);
    MarianEmbeddings names{inputs ? "Wemb" : "encoder_Wemb", inputs ? "Wemb" : "decoder_Wemb", {}};
    names.projection = tied ? names.target_embedding : file.find(output) ? output : output + "t";
    return names;
}

MarianOptions read_marian_options(const formats::MarianFile& file) { return MarianOptionsReader(file).read(); }

}  // namespace dragoman::families
