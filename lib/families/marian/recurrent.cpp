// SPDX-License-Identifier: Apache-2.0
#include "families/marian/recurrent.h"

#include "base/error.h"
#include "families/marian/names.h"

namespace dragoman::families {
namespace {

using Names = std::vector<std::string>;

// A cell as type s2s names it.
struct CellName {
    std::string prefix, canonical;
    bool final = false;  // its bias counts as one of the product with the state
};

class MarianRecurrentTaker {
public:
    MarianRecurrentTaker(const formats::MarianFile& file, const MarianRecurrentOptions& options, spec::ModelSpec& spec)
        : file_(file), options_(options), config_(options.config), spec_(spec) {}

    void take() {
        embeddings();
        encoder();
        decoder();
        attention();
        if (options_.output_bias)
            vector("decoder/projection/bias", {"decoder_ff_logit_l2_b"}, config_.target_vocabulary);
        dense("decoder/start", "decoder_ff_state", "", config_.state, config_.context());
        const uint32_t e = config_.embedding;
        dense("decoder/output/embedding", "decoder_ff_logit_l1", "0", e, e);
        dense("decoder/output/state", "decoder_ff_logit_l1", "1", e, config_.state);
        dense("decoder/output/context", "decoder_ff_logit_l1", "2", e, config_.context());
    }

private:
    const spec::HostTensor& get(const std::string& name, uint32_t rows, uint32_t cols) const {
        const formats::MarianParameter* parameter = file_.find(name);
        if (!parameter)
            fail(Status::bad_model, "{}: {}: expected {}x{}, the file has no such parameter", file_.name, name, rows,
                 cols);
        const spec::HostTensor& tensor = parameter->tensor;
        const bool vector = rows == 1 && tensor.shape == std::vector<uint32_t>{cols};
        if (!vector && tensor.shape != std::vector<uint32_t>{rows, cols})
            fail(Status::bad_model, "{}: {}: expected {}x{}, file has {}", file_.name, name, rows, cols,
                 fmt::join(tensor.shape, "x"));
        return tensor;
    }

    // A table of rows, as it is.
    void table(const std::string& canonical, const std::string& name, uint32_t rows) {
        const auto [owner, first] = tables_.emplace(name, canonical);
        if (first) spec_.weights.add(canonical, get(name, rows, config_.embedding));
        else spec_.weights.alias(canonical, owner->second);
    }

    // Matrices [in, out] side by side, as rows of outputs; the shares of the outputs are those of `widths`.
    void matrix(const std::string& canonical, const Names& names, const std::vector<uint32_t>& widths,
                uint32_t inputs) {
        if (names.size() == 1) {
            spec::HostTensor tensor = get(names[0], inputs, widths[0]);
            tensor.shape = {widths[0], inputs};
            tensor.transposed = true;
            return spec_.weights.add(canonical, tensor);
        }
        std::vector<float> joined;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const spec::HostTensor& tensor = get(names[i], inputs, widths[i]);
            std::vector<float> values(tensor.elements());
            spec::to_f32(tensor, 0, values);
            for (uint32_t out = 0; out < widths[i]; ++out)
                for (uint32_t in = 0; in < inputs; ++in) joined.push_back(values[uint64_t(in) * widths[i] + out]);
        }
        const auto outputs = static_cast<uint32_t>(joined.size() / inputs);
        add_values(canonical, {outputs, inputs}, std::move(joined));
    }

    // Vectors one after the other, of n values together.
    void vector(const std::string& canonical, const Names& names, uint32_t n) {
        std::vector<float> joined;
        for (const std::string& name : names) {
            // The first two gates are one parameter, the candidate another.
            const uint32_t width = names.size() == 1 ? n : joined.empty() ? n / 3 * 2 : n / 3;
            const spec::HostTensor& tensor = get(name, 1, width);
            joined.resize(joined.size() + width);
            spec::to_f32(tensor, 0, std::span(joined).last(width));
        }
        add_values(canonical, {n}, std::move(joined));
    }

    void add_values(const std::string& canonical, std::vector<uint32_t> shape, std::vector<float> values) {
        const auto owner = std::make_shared<const std::vector<float>>(std::move(values));
        spec_.owners.push_back(owner);
        spec_.weights.add(canonical, {.dtype = DType::f32,
                                      .shape = std::move(shape),
                                      .bytes = std::as_bytes(std::span(*owner)),
                                      .scales = {}});
    }

    void embeddings() {
        table("encoder/embeddings_0/weight", options_.source_embedding, config_.source_vocabulary);
        table("decoder/embeddings/weight", options_.target_embedding, config_.target_vocabulary);
        if (options_.projection == "decoder_ff_logit_l2_W")
            matrix("decoder/projection/weight", {options_.projection}, {config_.target_vocabulary}, config_.embedding);
        else table("decoder/projection/weight", options_.projection, config_.target_vocabulary);
    }

    void encoder() {
        for (const auto& [direction, letter] : {std::pair("forward", ""), std::pair("backward", "_r")})
            for (uint32_t i = 0; i < config_.bidirectional_layers; ++i)
                for (uint32_t j = 0; j < config_.encoder_depth; ++j) {
                    std::string prefix = fmt::format("encoder_bi{}", letter);
                    if (i > 0) prefix += fmt::format("_l{}", i + 1);
                    if (i > 0 || j > 0) prefix += fmt::format("_cell{}", j + 1);
                    cell({prefix, fmt::format("encoder/{}_{}/cell_{}", direction, i, j)}, config_.encoder,
                         j > 0    ? 0
                         : i == 0 ? config_.embedding
                                  : config_.state);
                }
        for (uint32_t i = 0; i < config_.forward_layers; ++i)
            for (uint32_t j = 0; j < config_.encoder_depth; ++j)
                cell({fmt::format("encoder_l{}_cell{}", i + 2, j + 1), fmt::format("encoder/upper_{}/cell_{}", i, j)},
                     config_.encoder,
                     j > 0    ? 0
                     : i == 0 ? 2 * config_.state
                              : config_.state);
    }

    void decoder() {
        for (uint32_t j = 0; j < config_.base_depth; ++j)
            cell({fmt::format("decoder_cell{}", j + 1), fmt::format("decoder/layer_0/cell_{}", j), j > 0},
                 config_.decoder,
                 j == 0   ? config_.embedding
                 : j == 1 ? config_.context()
                          : 0);
        for (uint32_t i = 1; i < config_.decoder_layers; ++i)
            for (uint32_t j = 0; j < config_.high_depth; ++j)
                cell({fmt::format("decoder_l{}_cell{}", i + 1, j + 1), fmt::format("decoder/layer_{}/cell_{}", i, j)},
                     config_.decoder, j == 0 ? config_.state : 0);
    }

    // inputs 0: none.
    void cell(const CellName& name, const spec::RecurrentUnit& unit, uint32_t inputs) {
        const uint32_t d = config_.state, wide = unit.gates() * d;
        const bool gru = unit.cell == spec::RecurrentCell::gru;
        const auto parts = [&](const std::string& first, const std::string& end = "") {
            return gru ? Names{name.prefix + first + end, name.prefix + first + "x" + end} : Names{name.prefix + first};
        };
        const std::vector<uint32_t> widths = gru ? std::vector{2 * d, d} : std::vector{wide};
        if (inputs > 0) matrix(name.canonical + "/input/weight", parts("_W"), widths, inputs);
        matrix(name.canonical + "/state/weight", parts("_U"), widths, d);
        const Names bias = parts("_b");

        const bool decoder = name.prefix.starts_with("decoder");
        const bool with_state = gru && (name.final || (unit.norm == spec::CellNorm::parts && decoder && inputs == 0));
        const std::string side = name.canonical + (with_state ? "/state" : "/input");
        if (inputs == 0 && !with_state) vector(name.canonical + "/constant", bias, wide);
        if (inputs == 0 && with_state) add_values(name.canonical + "/constant", {wide}, std::vector<float>(wide));
        const bool remains = inputs > 0 || with_state;
        if (unit.norm != spec::CellNorm::whole) {  // before the norm, if there is one
            if (remains) vector(side + "/bias", bias, wide);
        } else if (remains) {
            vector(side + "/norm/beta", bias, wide);
        }
        if (unit.norm == spec::CellNorm::whole) {
            if (inputs > 0) vector(name.canonical + "/input/norm/gamma", {name.prefix + "_gamma1"}, wide);
            vector(name.canonical + "/state/norm/gamma", {name.prefix + "_gamma2"}, wide);
        } else if (unit.norm == spec::CellNorm::parts) {
            const auto norm = [&](const std::string& product, const std::string& letter) {
                vector(name.canonical + product + "/norm/gamma", parts(letter, "_lns"), wide);
                vector(name.canonical + product + "/norm/beta", parts(letter, "_lnb"), wide);
            };
            if (inputs > 0) norm("/input", "_W");
            norm("/state", "_U");
        }
    }

    // A norm and what stands for its bias: before it in Nematus' manner, else as its beta.
    void norm(const std::string& canonical, const std::string& bias, const std::string& gamma,
              const std::string& nematus_gamma, const std::string& nematus_beta, uint32_t n) {
        if (!bias.empty())
            vector(canonical + (config_.layer_norm && !options_.nematus_norms ? "/norm/beta" : "/bias"), {bias}, n);
        if (!config_.layer_norm) return;
        vector(canonical + "/norm/gamma", {options_.nematus_norms ? nematus_gamma : gamma}, n);
        if (options_.nematus_norms) vector(canonical + "/norm/beta", {nematus_beta}, n);
    }

    void dense(const std::string& canonical, const std::string& prefix, const std::string& number, uint32_t outputs,
               uint32_t inputs) {
        matrix(canonical + "/weight", {prefix + "_W" + number}, {outputs}, inputs);
        norm(canonical, prefix + "_b" + number, prefix + "_gamma" + number, prefix + "_ln_s" + number,
             prefix + "_ln_b" + number, outputs);
    }

    void attention() {
        const uint32_t c = config_.context();
        matrix("decoder/attention/query/weight", {"decoder_W_comb_att"}, {c}, config_.state);
        norm("decoder/attention/query", "", "decoder_att_gamma2", "decoder_W_comb_att_lns", "decoder_W_comb_att_lnb",
             c);
        matrix("decoder/attention/key/weight", {"decoder_Wc_att"}, {c}, c);
        norm("decoder/attention/key", "decoder_b_att", "decoder_att_gamma1", "decoder_Wc_att_lns", "decoder_Wc_att_lnb",
             c);
        spec::HostTensor weights = get("decoder_U_att", c, 1);
        weights.shape = {c};
        spec_.weights.add("decoder/attention/vector", weights);
    }

    const formats::MarianFile& file_;
    const MarianRecurrentOptions& options_;
    const spec::RecurrentConfig& config_;
    spec::ModelSpec& spec_;
    std::map<std::string, std::string> tables_;
};

}  // namespace

void read_marian_recurrent(const formats::MarianFile& original, spec::ModelSpec& spec) {
    const formats::MarianFile file = with_s2s_names(original);
    const MarianRecurrentOptions options = read_marian_recurrent_options(file);
    spec.recurrent = options.config;
    spec.config = spec::outline(options.config);
    spec.right_to_left = options.right_to_left;
    spec.owners.insert(spec.owners.end(), file.owners.begin(), file.owners.end());
    MarianRecurrentTaker(file, options, spec).take();
}

}  // namespace dragoman::families
