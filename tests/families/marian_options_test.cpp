// SPDX-License-Identifier: Apache-2.0
#include "families/marian/options.h"

#include "formats/marian_files.h"
#include "support/refused.h"

namespace dragoman::families::marian_options_test {
namespace {

using spec::Autoregression;
using test::TinyMarian;

MarianOptions read(const TinyMarian& model) {
    return read_marian_options(formats::read_marian_npz(test::in_memory(model.npz())));
}

MarianOptions with(std::initializer_list<std::pair<const char*, const char*>> options) {
    TinyMarian model;
    for (const auto& [key, value] : options) model.options[key] = value;
    return read(model);
}

// `found`: what the message says of the value, if not all of it.
void check_refused(Status status, const std::string& key, const char* value, const char* found = nullptr) {
    CAPTURE(key);
    test::check_refused(status, {"special:model.yml", key.c_str(), found ? found : value},
                        [&] { with({{key.c_str(), value}}); });
}

TEST_CASE("what a file does not say is as Marian has it") {
    const MarianOptions options = with({});
    const spec::TransformerConfig& config = options.config;
    CHECK(config.d_model == 4);
    CHECK(config.source_vocabulary == 5);
    CHECK(config.target_vocabulary == 5);
    CHECK(config.encoder_ffn == 6);
    CHECK(config.decoder_ffn == 6);
    CHECK(config.start_from_zero_embedding);
    CHECK(config.autoregression == spec::Autoregression::self_attention);
    CHECK(config.alignment_layer == -1);
    CHECK(config.alignment_heads == 1);
    for (const spec::StackConfig& stack : {config.encoder, config.decoder}) {
        CHECK(stack.layers == 1);
        CHECK(stack.heads == 2);
        CHECK(stack.head_dim == 2);
        CHECK_FALSE(stack.custom_order);
        CHECK_FALSE(stack.pre_norm);
        CHECK_FALSE(stack.final_norm);
        CHECK_FALSE(stack.embedding_norm);
        CHECK(stack.activation == Activation::swish);
        CHECK(stack.ffn_depth == 2);
        CHECK(stack.attention_output);
        CHECK(stack.positions == spec::Positions::sinusoid);
        CHECK(stack.first_position == 0);
        CHECK(stack.embedding_scale == 2.0f);
        CHECK(stack.norm_epsilon == 1e-6f);
    }
    CHECK(options.decoder_layers == std::vector<uint32_t>{1});
    CHECK(options.output_bias);
    CHECK_FALSE(options.right_to_left);
    CHECK(options.projection == "Wemb");
    TinyMarian bare;
    bare.options = {
        {"type", "transformer"}, {"dim-emb", "4"}, {"transformer-heads", "1"}, {"tied-embeddings-all", "true"}};
    CHECK(read(bare).config.encoder_ffn == 2048);
    bare.options.erase("transformer-heads");
    test::check_refused(Status::bad_model, {"transformer-heads", "0 to 4", "8"}, [&] {
        bare.options["transformer-heads"] = "8";
        read(bare);
    });
}

TEST_CASE("options that change the network") {
    CHECK(with({{"transformer-ffn-activation", "gelu"}}).config.encoder.activation == Activation::gelu_sigmoid);
    for (const char* old : {"v1.9.0 c0d3", "v1.12.0 c0d3 2023", "something"})
        CHECK(with({{"transformer-ffn-activation", "gelu"}, {"version", old}}).config.encoder.activation ==
              Activation::gelu_sigmoid);
    for (const char* later : {"v1.12.1", "v1.12.42 c0d3 2025-05-24 22:34:42 -0700", "v2.0.0"})
        CHECK(with({{"transformer-ffn-activation", "gelu"}, {"version", later}}).config.encoder.activation ==
              Activation::gelu);
    CHECK(with({{"transformer-ffn-activation", "relu"}}).config.decoder.activation == Activation::relu);
    const auto ffn = with({{"transformer-decoder-dim-ffn", "8"}, {"transformer-decoder-ffn-depth", "3"}}).config;
    CHECK(ffn.encoder_ffn == 6);
    CHECK(ffn.decoder_ffn == 8);
    CHECK(ffn.encoder.ffn_depth == 2);
    CHECK(ffn.decoder.ffn_depth == 3);
    CHECK_FALSE(with({{"transformer-no-projection", "true"}}).config.decoder.attention_output);
    CHECK(with({{"right-left", "true"}}).right_to_left);
    CHECK_FALSE(with({{"output-omit-bias", "true"}}).output_bias);
    CHECK(with({{"dec-depth", "4"}, {"transformer-tied-layers", "[1, 1, 2, 4]"}}).decoder_layers ==
          std::vector<uint32_t>{1, 1, 2, 4});
    CHECK(with({{"dec-depth", "3"}, {"transformer-guided-alignment-layer", "2"}}).config.alignment_layer == 1);
    const auto none = with({{"transformer-disable-position-embeddings", "true"}}).config;
    CHECK(none.encoder.positions == spec::Positions::none);
    CHECK(none.encoder.embedding_scale == 1.0f);

    const auto ssru = with({{"transformer-decoder-autoreg", "rnn"},
                            {"dec-cell", "ssru"},
                            {"layer-normalization", "true"},
                            {"transformer-rnn-projection", "true"}})
                          .config;
    CHECK(ssru.autoregression == spec::Autoregression::ssru);
    CHECK(ssru.recurrence_norm);
    CHECK(ssru.recurrence_output);
    CHECK(with({{"transformer-decoder-autoreg", "rnn"}}).config.autoregression == spec::Autoregression::gru);
    const auto average = with({{"transformer-decoder-autoreg", "average-attention"},
                               {"transformer-dim-aan", "12"},
                               {"transformer-aan-depth", "3"},
                               {"transformer-aan-nogate", "true"},
                               {"transformer-aan-activation", "relu"}})
                             .config;
    CHECK(average.autoregression == spec::Autoregression::average_attention);
    CHECK(average.average_ffn == 12);
    CHECK(average.average_ffn_depth == 3);
    CHECK_FALSE(average.average_gate);
    CHECK(average.average_activation == Activation::relu);
}

TEST_CASE("orders of operations are the plain ones where they can be") {
    const auto encoder = [](const char* before, const char* after, const char* top, const char* embedding) {
        return with({{"transformer-preprocess", before},
                     {"transformer-postprocess", after},
                     {"transformer-postprocess-top", top},
                     {"transformer-postprocess-emb", embedding}})
            .config.encoder;
    };
    const auto pre = encoder("n", "da", "n", "d");
    CHECK_FALSE(pre.custom_order);
    CHECK(pre.pre_norm);
    CHECK(pre.final_norm);
    CHECK_FALSE(pre.rms_norm);
    const auto rms = encoder("\"\"", "dar", "\"\"", "dr");
    CHECK_FALSE(rms.custom_order);
    CHECK(rms.rms_norm);
    CHECK(rms.embedding_norm);
    const auto twice = encoder("n", "dan", "n", "d");
    CHECK(twice.custom_order);
    CHECK(twice.before == "n");
    CHECK(twice.after == "an");
    CHECK(twice.after_stack == "n");
    CHECK(twice.after_embedding.empty());
    CHECK(encoder("\"\"", "dhn", "\"\"", "d").after == "hn");
    CHECK(encoder("\"\"", "dna", "\"\"", "d").custom_order);
    CHECK(encoder("\"\"", "da", "\"\"", "d").custom_order);
    check_refused(Status::unsupported, "transformer-preprocess", "a");
    check_refused(Status::unsupported, "transformer-postprocess", "x");
    check_refused(Status::unsupported, "transformer-postprocess", "nan", "twice");
    check_refused(Status::unsupported, "transformer-postprocess-top", "nr", "both");
}

TEST_CASE("learned positions are used when they are there") {
    TinyMarian model;
    model.options["transformer-train-position-embeddings"] = "true";
    CHECK(read(model).config.encoder.positions == spec::Positions::sinusoid);
    model.add("Wpos", {7, 4});
    for (const auto& stack : {read(model).config.encoder, read(model).config.decoder}) {
        CHECK(stack.positions == spec::Positions::table);
        CHECK(stack.max_positions == 7);
        CHECK(stack.repeat_last_position);
        CHECK(stack.embedding_scale == 1.0f);
    }
}

TEST_CASE("embeddings are tied in four ways, and sizes come from the parameters") {
    TinyMarian model;
    model.options["dim-vocabs"] = "[100, 200]";
    model.parameters.erase("Wemb");
    model.add("encoder_Wemb", {7, 4});
    model.add("decoder_Wemb", {9, 4});
    model.options.erase("tied-embeddings-all");
    CHECK(read(model).source_embedding == "encoder_Wemb");
    CHECK(read(model).config.source_vocabulary == 7);
    CHECK(read(model).config.target_vocabulary == 9);
    CHECK(read(model).projection == "decoder_ff_logit_out_Wt");
    model.add("decoder_ff_logit_out_W", {4, 9});
    CHECK(read(model).projection == "decoder_ff_logit_out_W");
    model.options["tied-embeddings"] = "true";
    CHECK(read(model).projection == "decoder_Wemb");
    model.add("Wemb", {5, 4});
    model.options["tied-embeddings-src"] = "true";
    CHECK(read(model).projection == "Wemb");
    model.options["tied-embeddings"] = "false";
    CHECK(read(model).source_embedding == "Wemb");
    CHECK(read(model).projection == "decoder_ff_logit_out_W");
    model.parameters["Wemb"].shape = {4, 5};
    test::check_refused(Status::bad_model, {"Wemb", "rows of 4", "4x5"}, [&] { read(model); });
    model.parameters.erase("Wemb");
    test::check_refused(Status::bad_model, {"Wemb", "none"}, [&] { read(model); });
}

TEST_CASE("other networks are refused by name") {
    for (const char* type : {"amun", "nematus", "s2s", "multi-transformer", "transformer-new", "transformer_s2s"})
        check_refused(Status::unsupported, "type", type);
    test::check_refused(Status::unsupported, {"type", "amun"}, [] {
        TinyMarian model;
        model.options.erase("type");
        read(model);
    });
    check_refused(Status::unsupported, "transformer-attention-mask", "alibi");
    check_refused(Status::unsupported, "transformer-pool", "true");
    check_refused(Status::unsupported, "lemma-dim-emb", "16");
    check_refused(Status::unsupported, "transformer-decoder-autoreg", "other");
    check_refused(Status::unsupported, "transformer-ffn-activation", "tanh");
    check_refused(Status::unsupported, "input-types", "[class, sequence]", "class");
    check_refused(Status::unsupported, "dim-vocabs", "[1, 2, 3]", "3 streams");
    test::check_refused(Status::unsupported, {"dec-cell", "lstm"},
                        [] { with({{"transformer-decoder-autoreg", "rnn"}, {"dec-cell", "lstm"}}); });
    test::check_refused(Status::unsupported, {"layer-normalization", "gru"},
                        [] { with({{"transformer-decoder-autoreg", "rnn"}, {"layer-normalization", "true"}}); });
    check_refused(Status::bad_model, "transformer-heads", "3");
    check_refused(Status::bad_model, "enc-depth", "0");
    check_refused(Status::bad_model, "dec-depth", "4000000000");
    check_refused(Status::bad_model, "transformer-tied-layers", "[1, 1]", "file has 2");
    check_refused(Status::bad_model, "transformer-tied-layers", "[2]", "file has 2");
    check_refused(Status::bad_model, "transformer-guided-alignment-layer", "0");
    check_refused(Status::bad_model, "right-left", "maybe");
}

}  // namespace
}  // namespace dragoman::families::marian_options_test
