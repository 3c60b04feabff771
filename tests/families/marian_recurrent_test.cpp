// SPDX-License-Identifier: Apache-2.0
#include "families/marian/recurrent.h"

#include <set>
#include <tuple>

#include "families/families.h"
#include "families/marian/names.h"
#include "formats/marian_files.h"
#include "spec/recurrent_tensors.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace dragoman::families::marian_recurrent_test {
namespace {

using test::check_refused;
using test::kTinyVocabulary;
using test::TempDir;
using test::TinyMarian;
using Values = std::vector<float>;

// Width 2 of embeddings, 3 of states; values count up.
struct TinyRecurrent : TinyMarian {
    explicit TinyRecurrent(const std::string& type = "s2s") {
        parameters.clear();
        options = {{"type", type}, {"dim-emb", "2"}, {"dim-rnn", "3"}, {"tied-embeddings-all", "true"}};
        add("Wemb", {5, 2});
        cell("encoder_bi", 2);
        cell("encoder_bi_r", 2);
        cell("decoder_cell1", 2);
        cell("decoder_cell2", 6);
        add("decoder_W_comb_att", {3, 6});
        add("decoder_Wc_att", {6, 6});
        add("decoder_U_att", {6, 1});
        add("decoder_b_att", {1, 6});
        add("decoder_ff_state_W", {6, 3});
        add("decoder_ff_state_b", {1, 3});
        for (const auto& [number, width] : {std::pair("0", 2u), std::pair("1", 3u), std::pair("2", 6u)}) {
            add(std::string("decoder_ff_logit_l1_W") + number, {width, 2});
            add(std::string("decoder_ff_logit_l1_b") + number, {1, 2});
        }
        add("decoder_ff_logit_l2_b", {1, 5});
    }

    // inputs 0: none.
    void cell(const std::string& prefix, uint32_t inputs) {
        if (inputs > 0) {
            add(prefix + "_W", {inputs, 6});
            add(prefix + "_Wx", {inputs, 3});
        }
        add(prefix + "_U", {3, 6});
        add(prefix + "_Ux", {3, 3});
        add(prefix + "_b", {1, 6});
        add(prefix + "_bx", {1, 3});
    }

    // Renames parameters to those of the types amun and nematus.
    void rename(const std::string& from, const std::string& to) {
        parameters[to] = parameters.at(from);
        parameters.erase(from);
    }
};

spec::ModelSpec load(const TinyMarian& model) {
    const TempDir folder;
    folder.write("vocab.yml", kTinyVocabulary);
    return families::load(folder.write("model.npz", model.npz()));
}

Values values(const spec::ModelSpec& spec, std::string_view name) {
    const spec::HostTensor& tensor = spec.weights.get(name);
    Values result(tensor.elements());
    spec::to_f32(tensor, 0, result);
    return result;
}

Values turned(const TinyMarian::Parameter& matrix) {
    Values result;
    for (uint32_t out = 0; out < matrix.shape[1]; ++out)
        for (uint32_t in = 0; in < matrix.shape[0]; ++in) result.push_back(matrix.values[in * matrix.shape[1] + out]);
    return result;
}

Values joined(Values first, const Values& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

TEST_CASE("what a recurrent model's file does not say is as Marian has it") {
    const spec::ModelSpec spec = load(TinyRecurrent());
    REQUIRE(spec.recurrent);
    const spec::RecurrentConfig& config = *spec.recurrent;
    CHECK(spec.format == "marian");
    CHECK(spec.family == "recurrent");
    CHECK(config.source_vocabulary == 5);
    CHECK(config.target_vocabulary == 5);
    CHECK(config.embedding == 2);
    CHECK(config.state == 3);
    CHECK(config.context() == 6);
    CHECK(config.bidirectional_layers == 1);
    CHECK(config.forward_layers == 0);
    CHECK(config.encoder_depth == 1);
    CHECK(config.decoder_layers == 1);
    CHECK(config.base_depth == 2);
    CHECK_FALSE(config.skip);
    CHECK_FALSE(config.alternating);
    CHECK_FALSE(config.layer_norm);
    for (const spec::RecurrentUnit& unit : {config.encoder, config.decoder}) {
        CHECK(unit.cell == spec::RecurrentCell::gru);
        CHECK(unit.norm == spec::CellNorm::none);
    }
    CHECK(spec.config.d_model == 3);
    CHECK(spec.config.encoder.layers == 1);
    CHECK(spec.config.target_vocabulary == 5);
    CHECK(spec.config.start_from_zero_embedding);
    CHECK_FALSE(spec.right_to_left);
}

TEST_CASE("recurrent parameters come under canonical names, rows of outputs") {
    const TinyRecurrent model;
    const spec::ModelSpec spec = load(model);
    const auto stored = [&](const char* name) { return model.parameters.at(name); };
    CHECK(values(spec, "encoder/forward_0/cell_0/input/weight") ==
          joined(turned(stored("encoder_bi_W")), turned(stored("encoder_bi_Wx"))));
    CHECK(values(spec, "encoder/backward_0/cell_0/state/weight") ==
          joined(turned(stored("encoder_bi_r_U")), turned(stored("encoder_bi_r_Ux"))));
    CHECK(values(spec, "encoder/forward_0/cell_0/input/bias") ==
          joined(stored("encoder_bi_b").values, stored("encoder_bi_bx").values));
    CHECK_FALSE(spec.weights.has("encoder/forward_0/cell_0/state/bias"));
    // The reset gate is on the bias of the cell after attention too.
    CHECK_FALSE(spec.weights.has("decoder/layer_0/cell_1/input/bias"));
    CHECK(values(spec, "decoder/layer_0/cell_1/state/bias") ==
          joined(stored("decoder_cell2_b").values, stored("decoder_cell2_bx").values));
    CHECK(values(spec, "decoder/attention/query/weight") == turned(stored("decoder_W_comb_att")));
    CHECK(values(spec, "decoder/attention/key/bias") == stored("decoder_b_att").values);
    CHECK(values(spec, "decoder/attention/vector") == stored("decoder_U_att").values);
    CHECK(values(spec, "decoder/start/weight") == turned(stored("decoder_ff_state_W")));
    CHECK(values(spec, "decoder/output/context/weight") == turned(stored("decoder_ff_logit_l1_W2")));
    CHECK(values(spec, "decoder/output/state/bias") == stored("decoder_ff_logit_l1_b1").values);
    CHECK(spec.weights.key("decoder/projection/weight") == "encoder/embeddings_0/weight");
    CHECK(values(spec, "decoder/projection/bias") == stored("decoder_ff_logit_l2_b").values);
}

TEST_CASE("models with the names of older programs") {
    const TinyRecurrent plain;
    for (const std::string type : {"amun", "nematus"}) {
        CAPTURE(type);
        TinyRecurrent model(type);
        if (type == "nematus") model.options["enc-cell"] = model.options["dec-cell"] = "gru-nematus";
        model.options["tied-embeddings-all"] = "false";
        model.options["tied-embeddings"] = "true";
        model.parameters["Wemb_dec"] = model.parameters.at("Wemb");
        model.parameters["decoder_c_tt"] = {{1, 0}, {}};
        for (const std::string part : {"W", "Wx", "U", "Ux", "b", "bx"}) {
            model.rename("encoder_bi_" + part, "encoder_" + part);
            model.rename("encoder_bi_r_" + part, "encoder_r_" + part);
            model.rename("decoder_cell1_" + part, "decoder_" + part);
            const bool input = part[0] == 'W';
            model.rename("decoder_cell2_" + part,
                         input ? (part == "W" ? "decoder_Wc" : "decoder_Wcx") : "decoder_" + part + "_nl");
        }
        for (const std::string part : {"W", "b"}) {
            model.rename("decoder_ff_state_" + part, "ff_state_" + part);
            model.rename("decoder_ff_logit_l1_" + part + "0", "ff_logit_prev_" + part);
            model.rename("decoder_ff_logit_l1_" + part + "1", "ff_logit_lstm_" + part);
            model.rename("decoder_ff_logit_l1_" + part + "2", "ff_logit_ctx_" + part);
        }
        model.rename("decoder_ff_logit_l2_b", "ff_logit_b");
        const spec::ModelSpec expected = load(plain), spec = load(model);
        for (const auto& [name, tensor] : expected.weights.tensors()) {
            CAPTURE(name);
            CHECK(values(spec, name) == values(expected, name));
        }
        CHECK(spec.weights.key("decoder/projection/weight") == "decoder/embeddings/weight");
    }
}

TEST_CASE("recurrent models that lack something are refused") {
    TinyRecurrent model;
    model.parameters.erase("decoder_b_att");
    check_refused(Status::bad_model, {"model.npz", "decoder_b_att", "1x6", "no such"}, [&] { load(model); });
    model = TinyRecurrent();
    model.parameters["encoder_bi_r_Ux"].shape = {1, 9};
    check_refused(Status::bad_model, {"encoder_bi_r_Ux", "expected 3x3", "file has 1x9"}, [&] { load(model); });
    model = TinyRecurrent();
    model.parameters["decoder_cell2_b"].shape = {6};  // as older files have it
    CHECK_NOTHROW(load(model));
    model.parameters.erase("decoder_ff_logit_l2_b");
    check_refused(Status::bad_model, {"decoder_ff_logit_l2_b"}, [&] { load(model); });
    model.options["output-omit-bias"] = "true";
    CHECK_FALSE(load(model).weights.has("decoder/projection/bias"));
    model.parameters["Wemb"].shape = {2, 5};
    check_refused(Status::bad_model, {"Wemb", "rows of 2 (dim-emb)", "2x5"}, [&] { load(model); });
    model.parameters.erase("Wemb");
    check_refused(Status::bad_model, {"Wemb", "none"}, [&] { load(model); });
}

TEST_CASE("recurrent networks that are not translated here are refused by name") {
    using Options = std::vector<std::pair<const char*, const char*>>;
    const auto refuse = [](Status status, const std::string& type, const Options& options,
                           std::initializer_list<const char*> parts) {
        TinyRecurrent model(type);
        for (const auto& [key, value] : options) model.options[key] = value;
        check_refused(status, parts, [&] { load(model); });
    };
    for (const char* key : {"enc-cell", "dec-cell"})
        for (const char* cell : {"tanh", "relu", "mlstm", "mgru", "sru", "ssru"})
            refuse(Status::unsupported, "s2s", {{key, cell}}, {key, "gru, gru-nematus or lstm", cell});
    refuse(Status::unsupported, "s2s", {{"enc-type", "unidirectional"}}, {"enc-type", "alternating", "unidirectional"});
    refuse(
        Status::unsupported, "s2s",
        {{"enc-cell", "gru-nematus"}, {"enc-type", "bi-unidirectional"}, {"enc-depth", "2"}, {"enc-cell-depth", "2"}},
        {"enc-cell", "gru-nematus"});
    refuse(Status::unsupported, "s2s", {{"dec-cell", "gru-nematus"}, {"dec-depth", "2"}, {"dec-cell-high-depth", "2"}},
           {"dec-cell", "gru-nematus"});
    refuse(Status::unsupported, "amun", {{"enc-depth", "2"}}, {"enc-depth", "type amun", "2"});
    refuse(Status::unsupported, "amun", {{"dec-cell", "lstm"}}, {"dec-cell", "type amun", "lstm"});
    refuse(Status::unsupported, "amun", {{"dec-cell-base-depth", "3"}}, {"dec-cell-base-depth", "amun", "3"});
    refuse(Status::unsupported, "amun", {{"skip", "true"}}, {"skip", "amun", "true"});
    refuse(Status::unsupported, "nematus", {}, {"enc-cell", "gru-nematus", "nematus", "gru"});
    refuse(Status::unsupported, "nematus",
           {{"enc-cell", "gru-nematus"}, {"dec-cell", "gru-nematus"}, {"enc-type", "alternating"}},
           {"enc-type", "nematus", "alternating"});
    refuse(Status::unsupported, "s2s", {{"lemma-dim-emb", "4"}}, {"lemma-dim-emb", "4"});
    refuse(Status::unsupported, "s2s", {{"dim-vocabs", "[5, 5, 5]"}}, {"dim-vocabs", "3 streams"});
    refuse(Status::unsupported, "s2s", {{"input-types", "[sequence, class]"}}, {"input-types", "class"});
    refuse(Status::bad_model, "s2s", {{"dim-rnn", "0"}}, {"dim-rnn", "0"});
    refuse(Status::bad_model, "s2s", {{"enc-depth", "x"}}, {"enc-depth", "x"});
    refuse(Status::unsupported, "multi-s2s", {}, {"type", "transformer, s2s, nematus or amun", "multi-s2s"});
    refuse(Status::unsupported, "char-s2s", {}, {"type", "char-s2s"});
}

TEST_CASE("recurrent models of integers are refused") {
    const TinyRecurrent model;
    for (const auto& [code, bytes, type] : {std::tuple(0x10001u, 1u, "int8"), std::tuple(0x10002u, 2u, "int16")}) {
        std::vector<test::BinItem> items;
        for (const auto& [name, parameter] : model.parameters) {
            const bool matrix = name == "decoder_Wc_att";
            std::string data = test::bytes_of(parameter.values);
            if (matrix) data = std::string(36 * bytes, '\1') + test::bytes_of(Values{4});
            items.push_back({name, matrix ? code : 0x404u, parameter.shape, std::move(data)});
        }
        items.push_back(test::bin_options(model.yaml()));
        const TempDir folder;
        folder.write("vocab.yml", kTinyVocabulary);
        const auto file = folder.write("model.bin", test::marian_bin(items));
        check_refused(Status::unsupported, {"decoder_Wc_att", "float32 or float16", type},
                      [&] { families::load(file); });
    }
}

TEST_CASE("options that change a recurrent network") {
    const auto recorded = [](const char* name) {
        return families::load(std::filesystem::path(DRAGOMAN_TEST_DATA) / "marian" / name);
    };
    const spec::ModelSpec lstm = recorded("s2s-lstm"), deep = recorded("s2s-deep"), nematus = recorded("nematus"),
                          mixed = recorded("s2s-mixed");
    CHECK(lstm.recurrent->encoder == spec::RecurrentUnit{spec::RecurrentCell::lstm, spec::CellNorm::whole, 1e-9f});
    CHECK(lstm.recurrent->bidirectional_layers == 1);
    CHECK(lstm.recurrent->forward_layers == 2);
    CHECK(lstm.recurrent->context() == lstm.recurrent->state);
    CHECK(lstm.recurrent->skip);
    CHECK(lstm.recurrent->layer_norm);
    CHECK(lstm.recurrent->norm_epsilon == 1e-9f);
    CHECK(deep.recurrent->alternating);
    CHECK(deep.recurrent->bidirectional_layers == 2);
    CHECK(deep.recurrent->encoder_depth == 2);
    CHECK(deep.recurrent->base_depth == 4);
    CHECK(deep.recurrent->high_depth == 2);
    CHECK(deep.recurrent->decoder_layers == 2);
    CHECK(nematus.recurrent->decoder == spec::RecurrentUnit{spec::RecurrentCell::gru, spec::CellNorm::parts, 1e-5f});
    CHECK(nematus.recurrent->norm_epsilon == 1e-5f);
    CHECK(mixed.recurrent->encoder.norm_epsilon == 1e-5f);
    CHECK(mixed.recurrent->norm_epsilon == 1e-9f);  // its cells are Nematus', the rest is not
    CHECK(mixed.right_to_left);
    CHECK_FALSE(mixed.weights.has("decoder/projection/bias"));
    for (const spec::ModelSpec* spec : {&lstm, &deep, &nematus, &mixed}) {
        std::set<std::string> known;
        for (const spec::TensorRule& rule : spec::recurrent_tensors(*spec->recurrent)) {
            CAPTURE(rule.name);
            known.insert(rule.name);
            if (rule.required) CHECK(spec->weights.has(rule.name));
            if (spec->weights.has(rule.name)) CHECK(spec->weights.get(rule.name).shape == rule.shape);
        }
        for (const auto& [name, tensor] : spec->weights.tensors()) CHECK(known.contains(name));
    }
}

}  // namespace
}  // namespace dragoman::families::marian_recurrent_test
