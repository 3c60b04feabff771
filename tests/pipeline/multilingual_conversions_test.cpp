// SPDX-License-Identifier: Apache-2.0
// The families with many languages as CTranslate2's converters leave them: texts give what the models themselves give.
#include <fstream>

#include "families/ct2_model.h"
#include "nn/positions.h"
#include "pipeline/compare.h"
#include "spec/transformer_tensors.h"

namespace multilingual_conversions_test {

using namespace dragoman;
using nlohmann::json;

namespace {

const std::string kFolder = DRAGOMAN_TEST_DATA "/huggingface/";

json read_json(const std::string& path) {
    std::ifstream file(path);
    return json::parse(file);
}

// With tables of positions, vocabulary and special tokens where converters put them.
test::Ct2Model converted(const std::string& name, const spec::ModelSpec& spec) {
    test::Ct2Model model;
    for (const spec::TensorRule& rule : spec::transformer_tensors(spec.config)) {
        const spec::HostTensor* tensor = spec.weights.find(rule.name);
        if (!tensor) continue;
        std::vector<float> values(tensor->elements());
        spec::to_f32(*tensor, 0, values);
        model.set_floats(rule.name, tensor->shape, values);
    }
    for (const auto& [side, stack] : {std::pair{std::string("encoder"), &spec.config.encoder},
                                      std::pair{std::string("decoder"), &spec.config.decoder}}) {
        model.set_integers<int16_t>(side + "/num_heads", DType::i16, {}, {int16_t(stack->heads)});
        model.set_integers<int8_t>(side + "/activation", DType::i8, {}, {int8_t(stack->activation)});
        model.set_flag(side + "/pre_norm", stack->pre_norm);
        constexpr uint32_t kRows = 64;
        if (stack->positions == spec::Positions::sinusoid)
            model.set_floats(side + "/position_encodings/encodings", {kRows, spec.config.d_model},
                             nn::sinusoids(kRows, spec.config.d_model, stack->first_position));
    }
    model.config = json{{"add_source_eos", false},
                        {"decoder_start_token", spec.decoder_start_token ? json(*spec.decoder_start_token) : json()}}
                       .dump();
    model.files["shared_vocabulary.json"] = json(spec.source.tokens).dump();
    model.files["sentencepiece.bpe.model"] = test::read_file(kFolder + name + "/sentencepiece.bpe.model");
    return model;
}

TEST_CASE("texts through CTranslate2's conversions") {
    for (const std::string name : {"m2m100", "nllb", "mbart50", "mbart25"}) {
        CAPTURE(name);
        const test::TempDir folder;
        converted(name, families::load(kFolder + name)).write(folder);
        const auto model = pipeline::Model::load(folder.path().string(),
                                                 {.device = {}, .compute_type = pipeline::ComputeType::f32});
        CHECK(model->info().format == "ctranslate2");
        const auto translator = pipeline::Translator::create(model);
        const json recorded = read_json(kFolder + name + "/translations.json");
        const json& greedy = recorded.at("cases").at(0).at("results");
        std::size_t compared = 0;
        for (std::size_t i = 0; i < 40; ++i) {
            const json& sentence = recorded.at("sentences").at(greedy.at(i).at(0).get<std::size_t>());
            const std::string text = sentence.at(2), expected = greedy[i].at(1).at(1);
            CAPTURE(text);
            if (greedy[i].at(1).at(0).get<std::string>().find("<unk>") != std::string::npos) continue;
            const std::vector<pipeline::Text> inputs{{.text = text, .target_prefix = {}}};
            const auto results = translator->translate_texts(inputs,
                                                             {.split_sentences = false,
                                                              .source_language = sentence.at(0),
                                                              .target_language = sentence.at(1),
                                                              .raw = true},
                                                             {.beam_size = 1, .max_decoding_length = 39});
            CHECK(results.at(0).hypotheses.at(0).text == expected);
            ++compared;
        }
        CHECK(compared >= 30);
    }
}

}  // namespace

}  // namespace multilingual_conversions_test
