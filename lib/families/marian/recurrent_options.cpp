// SPDX-License-Identifier: Apache-2.0
#include "families/marian/recurrent_options.h"

#include "base/error.h"
#include "families/marian/options.h"
#include "formats/yaml_map.h"

namespace dragoman::families {
namespace {

constexpr uint32_t kMaxRecurrentWidth = 1u << 16, kMaxRecurrentLayers = 1u << 8, kMaxRecurrentDepth = 64;
constexpr float kRecurrentNormEpsilon = 1e-9f, kNematusNormEpsilon = 1e-5f;

formats::YamlMap options_of(const formats::MarianFile& file) {
    return {file.name + ": special:model.yml", file.options};
}

class RecurrentOptionsReader {
public:
    explicit RecurrentOptionsReader(const formats::MarianFile& file) : file_(file), options_(options_of(file)) {}

    MarianRecurrentOptions read() {
        refuse_marian_inputs(options_);
        refuse_integers();
        spec::RecurrentConfig& config = result_.config;
        config.embedding = size("dim-emb", 512, kMaxRecurrentWidth);
        config.state = size("dim-rnn", 1024, kMaxRecurrentWidth);
        config.layer_norm = options_.flag("layer-normalization", false);
        config.skip = options_.flag("skip", false);
        config.encoder = unit("enc-cell");
        config.decoder = unit("dec-cell");
        encoder();
        config.decoder_layers = size("dec-depth", 1, kMaxRecurrentLayers);
        config.base_depth = size("dec-cell-base-depth", 2, kMaxRecurrentDepth);
        config.high_depth = size("dec-cell-high-depth", 1, kMaxRecurrentDepth);
        refuse_transitions("dec-cell", config.decoder_layers > 1 && config.high_depth > 1);
        refuse_by_type();
        result_.nematus_norms = type() == "nematus";
        config.norm_epsilon = result_.nematus_norms ? kNematusNormEpsilon : kRecurrentNormEpsilon;
        embeddings();
        result_.output_bias = !options_.flag("output-omit-bias", false);
        result_.right_to_left = options_.flag("right-left", false);
        return std::move(result_);
    }

private:
    std::string type() const { return options_.text("type", "amun"); }

    void refuse_integers() const {
        for (const auto& [name, parameter] : file_.parameters)
            if (const DType stored = parameter.tensor.dtype; stored == DType::i8 || stored == DType::i16)
                fail(Status::unsupported, "{}: {}: expected float32 or float16 in a model of type {}, file has {}",
                     file_.name, name, type(), dragoman::name(stored));
    }

    uint32_t size(std::string_view key, uint32_t absent, uint32_t most) const {
        const uint32_t value = options_.number(key, absent, most);
        if (value == 0) {
            fail(Status::bad_model, "{}: {}: expected a number from 1 to {}, file has 0", options_.where(), key, most);
        }
        return value;
    }

    spec::RecurrentUnit unit(std::string_view key) const {
        const std::string name = options_.text(key, "gru");
        const bool norm = options_.flag("layer-normalization", false);
        const auto whole = norm ? spec::CellNorm::whole : spec::CellNorm::none;
        if (name == "gru") return {spec::RecurrentCell::gru, whole, kRecurrentNormEpsilon};
        if (name == "lstm") return {spec::RecurrentCell::lstm, whole, kRecurrentNormEpsilon};
        if (name == "gru-nematus")
            return {spec::RecurrentCell::gru, norm ? spec::CellNorm::parts : spec::CellNorm::none, kNematusNormEpsilon};
        fail(Status::unsupported, "{}: {}: expected gru, gru-nematus or lstm, file has {}", options_.where(), key,
             name);
    }

    void encoder() {
        spec::RecurrentConfig& config = result_.config;
        const std::string kind = options_.text("enc-type", "bidirectional");
        const uint32_t layers = size("enc-depth", 1, kMaxRecurrentLayers);
        config.encoder_depth = size("enc-cell-depth", 1, kMaxRecurrentDepth);
        config.alternating = kind == "alternating";
        if (config.alternating || kind == "bidirectional") {
            config.bidirectional_layers = layers;
        } else if (kind == "bi-unidirectional") {
            config.bidirectional_layers = 1;
            config.forward_layers = layers - 1;
        } else {
            fail(Status::unsupported,
                 "{}: enc-type: expected bidirectional, bi-unidirectional or alternating, file "
                 "has {}",
                 options_.where(), kind);
        }
        refuse_transitions("enc-cell", config.forward_layers > 0 && config.encoder_depth > 1);
    }

    // There Marian's cell reads an input that is not there.
    void refuse_transitions(std::string_view key, bool without_input) const {
        if (without_input && options_.text(key, "gru") == "gru-nematus") {
            fail(Status::unsupported,
                 "{}: {}: expected gru or lstm for several cells in a layer of one direction, "
                 "file has gru-nematus",
                 options_.where(), key);
        }
    }

    // Refuses what Marian does not allow in its older types.
    void refuse_by_type() const {
        const auto expect = [&](std::string_view key, std::string_view absent, std::string_view only) {
            if (const std::string value = options_.text(key, absent); value != only) {
                fail(Status::unsupported, "{}: {}: expected {} in a model of type {}, file has {}", options_.where(),
                     key, only, type(), value);
            }
        };
        if (type() == "nematus") {
            expect("enc-type", "bidirectional", "bidirectional");
            expect("enc-cell", "gru", "gru-nematus");
            expect("dec-cell", "gru", "gru-nematus");
            expect("dec-cell-high-depth", "1", "1");
        } else if (type() == "amun") {
            for (const char* key : {"enc-depth", "enc-cell-depth", "dec-depth", "dec-cell-high-depth"})
                expect(key, "1", "1");
            expect("dec-cell-base-depth", "2", "2");
            expect("enc-cell", "gru", "gru");
            expect("dec-cell", "gru", "gru");
            if (options_.flag("skip", false))
                fail(Status::unsupported, "{}: skip: expected false in a model of type amun, file has true",
                     options_.where());
        }
    }

    void embeddings() {
        static_cast<MarianEmbeddings&>(result_) = read_marian_embeddings(options_, file_, "decoder_ff_logit_l2_W");
        const uint32_t width = result_.config.embedding;
        result_.config.source_vocabulary = marian_rows(file_, result_.source_embedding, width);
        result_.config.target_vocabulary = marian_rows(file_, result_.target_embedding, width);
    }

    const formats::MarianFile& file_;
    const formats::YamlMap options_;
    MarianRecurrentOptions result_;
};

}  // namespace

bool is_marian_recurrent(const formats::MarianFile& file) {
    const std::string type = options_of(file).text("type", "amun");
    return type == "s2s" || type == "nematus" || type == "amun";
}

MarianRecurrentOptions read_marian_recurrent_options(const formats::MarianFile& file) {
    return RecurrentOptionsReader(file).read();
}

}  // namespace dragoman::families
