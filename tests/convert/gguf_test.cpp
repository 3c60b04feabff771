// SPDX-License-Identifier: Apache-2.0
// Models of every format as GGUF files: what comes out is what the original gives, to the bit where the weights are.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "convert/convert.h"
#include "families/families.h"
#include "families/gguf/gguf_writer.h"
#include "pipeline/compare.h"
#include "pipeline/model_fixture.h"
#include "spec/model_spec.h"
#include "support/same_results.h"
#include "support/sweep.h"
#include "support/temp_dir.h"

namespace gguf_test {

using namespace dragoman;
namespace fs = std::filesystem;

namespace {

using pipeline::ComputeType;

constexpr std::size_t kMaxRequests = 6;  // of a model

// Every model among the test data: folders that are one, and the files that are.
std::vector<fs::path> all_models() {
    std::vector<fs::path> models;
    for (const char* below : {"", "random", "huggingface", "marian"}) {
        for (const fs::path folder : test::recorded_models(below)) {
            bool files = false;
            for (const auto& entry : fs::directory_iterator(folder)) {
                const fs::path& file = entry.path();
                if (file.extension() != ".npz" && file.extension() != ".zip" &&
                    !file.filename().string().ends_with("f16.bin"))
                    continue;
                models.push_back(file);
                files = true;
            }
            if (!files) models.push_back(folder);
        }
    }
    return models;
}

fs::path data_folder(const fs::path& model) { return fs::is_directory(model) ? model : model.parent_path(); }

std::vector<pipeline::Request> requests_for(const fs::path& model) {
    const auto recorded = test::read_recorded(data_folder(model).string());
    std::vector<pipeline::Request> requests = recorded.cases.at(0).requests;
    if (requests.size() > kMaxRequests) requests.resize(kMaxRequests);
    return requests;
}

std::vector<pipeline::Result> translated(const fs::path& model, ComputeType type,
                                         std::span<const pipeline::Request> requests,
                                         const pipeline::TranslateOptions& options) {
    const auto loaded = pipeline::Model::load(model.string(), {.device = {}, .compute_type = type});
    return pipeline::Translator::create(loaded)->translate(requests, options);
}

bool on_cpu() { return test::real_model()->context().caps().is_cpu(); }

void check_equal(std::span<const pipeline::Result> results, std::span<const pipeline::Result> expected) {
    REQUIRE(results.size() == expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(i);
        REQUIRE(results[i].hypotheses.size() == expected[i].hypotheses.size());
        for (std::size_t h = 0; h < results[i].hypotheses.size(); ++h) {
            CHECK(test::joined(results[i].hypotheses[h].tokens) == test::joined(expected[i].hypotheses[h].tokens));
            // GPUs may fuse the operations of one layout's kernel and not those of the other's.
            CHECK(std::abs(results[i].hypotheses[h].score - expected[i].hypotheses[h].score) <= (on_cpu() ? 0 : 1e-5));
        }
    }
}

// Whatever one spec says, the other says too.
void check_same(const spec::ModelSpec& a, const spec::ModelSpec& b) {
    CHECK(a.config == b.config);
    CHECK(a.recurrent == b.recurrent);
    CHECK(a.search == b.search);
    CHECK(a.source.tokens == b.source.tokens);
    CHECK(a.target.tokens == b.target.tokens);
    CHECK(a.source.sentencepiece.text() == b.source.sentencepiece.text());
    CHECK(a.target.sentencepiece.text() == b.target.sentencepiece.text());
    CHECK(a.unk_token == b.unk_token);
    CHECK(a.bos_token == b.bos_token);
    CHECK(a.eos_token == b.eos_token);
    CHECK(a.decoder_start_token == b.decoder_start_token);
    CHECK(a.add_source_bos == b.add_source_bos);
    CHECK(a.add_source_eos == b.add_source_eos);
    CHECK(a.never_generated == b.never_generated);
    CHECK(a.right_to_left == b.right_to_left);
    CHECK(a.source_languages == b.source_languages);
    CHECK(a.target_languages == b.target_languages);
    CHECK(a.languages().source == b.languages().source);
    CHECK(a.languages().target == b.languages().target);
    CHECK(a.prompts.pattern == b.prompts.pattern);
    CHECK(a.prompts.decoder_start == b.prompts.decoder_start);
    CHECK(a.prompts.end == b.prompts.end);
    CHECK(a.version == b.version);
    CHECK(a.license == b.license);
    CHECK(a.family == b.family);
    REQUIRE(a.shortlist.has_value() == b.shortlist.has_value());
    if (a.shortlist)
        for (uint32_t id = 0; id < a.config.source_vocabulary; ++id)
            CHECK(a.shortlist->allowed({&id, 1}) == b.shortlist->allowed({&id, 1}));
}

void check_same_tensors(const spec::ModelSpec& a, const spec::ModelSpec& b) {
    std::size_t names = 0;
    const auto check = [&](const std::string& name) {
        CAPTURE(name);
        const spec::HostTensor *one = a.weights.find(name), *other = b.weights.find(name);
        REQUIRE(other);
        ++names;
        CHECK(one->shape == other->shape);
        CHECK(one->dtype == other->dtype);
        CHECK(one->scales == other->scales);
        CHECK(one->input_scales == other->input_scales);
        std::vector<float> values(one->elements()), others(one->elements());
        spec::to_f32(*one, 0, values);
        spec::to_f32(*other, 0, others);
        CHECK((values == others));
    };
    for (const auto& item : a.weights.tensors()) check(item.first);
    for (const auto& item : a.weights.aliases()) check(item.first);
    CHECK(names == b.weights.tensors().size() + b.weights.aliases().size());
    CHECK(a.weights.tensors().size() == b.weights.tensors().size());  // shared ones are there once
}

}  // namespace

TEST_CASE("a GGUF file says everything that a model of any format says") {
    const test::TempDir folder;
    std::size_t count = 0;
    for (const fs::path& path : all_models()) {
        CAPTURE(path);
        const spec::ModelSpec spec = families::load(path);
        const fs::path out = folder.path() / fmt::format("{}.gguf", count++);
        families::write_gguf(spec, out, {});
        const spec::ModelSpec again = families::load(out);
        CHECK(again.format == "gguf");
        CHECK(again.file_bytes == fs::file_size(out));
        check_same(spec, again);
        check_same_tensors(spec, again);
        // Written once more it is the same file but for the name of the format it came from.
        const fs::path twice = folder.path() / "twice.gguf";
        families::write_gguf(again, twice, {.type = std::nullopt, .replace = true});
        const spec::ModelSpec last = families::load(twice);
        check_same(again, last);
        check_same_tensors(again, last);
    }
    CHECK(count >= 40);
}

TEST_CASE("float32 files translate to the bit as the originals do") {
    const test::TempDir folder;
    const fs::path out = folder.path() / "m.gguf";
    pipeline::TranslateOptions options;
    options.return_scores = true;
    options.beam_size = 3;
    options.num_hypotheses = 2;
    for (const fs::path& path : test::every(all_models(), 4)) {
        CAPTURE(path);
        convert::convert(path.string(), out.string(), {.type = DType::f32, .replace = true});
        const auto requests = requests_for(path);
        check_equal(translated(out, ComputeType::f32, requests, options),
                    translated(path, ComputeType::f32, requests, options));
    }
}

TEST_CASE("matrices made for int8 products stay exact, with their shortlist") {
    const test::TempDir folder;
    const fs::path out = folder.path() / "m.gguf";
    for (const char* name : {"int8-fork", "int8-upstream", "int8-firefox"}) {
        CAPTURE(name);
        const fs::path path = fs::path(DRAGOMAN_TEST_DATA) / "marian" / name;
        convert::convert(path.string(), out.string(), {.type = std::nullopt, .replace = true});
        CHECK(pipeline::Model::load(out.string(), {.compute_type = ComputeType::int8})->info().compute_type == "int8");
        const auto requests = requests_for(path);
        pipeline::TranslateOptions options;
        options.return_scores = true;
        options.use_shortlist = name == std::string("int8-firefox");
        check_equal(translated(out, ComputeType::int8, requests, options),
                    translated(path, ComputeType::int8, requests, options));
    }
}

TEST_CASE("8 and 4 bits: most translations stay, alone as in a batch") {
    const test::TempDir folder;
    const fs::path out = folder.path() / "m.gguf";
    const auto requests = test::read_recorded(test::kRealModel).cases.at(0).requests;
    pipeline::TranslateOptions options;
    options.return_scores = true;
    options.beam_size = 4;
    const auto expected = pipeline::Translator::create(test::real_model())->translate(requests, options);
    for (const DType type : {DType::q8, DType::q4}) {
        CAPTURE(name(type));
        convert::convert(test::kRealModel, out.string(), {.type = type, .replace = true});
        const auto model = pipeline::Model::load(out.string(), {.device = {}, .compute_type = ComputeType::f32});
        CHECK(model->info().stored_types.find(name(type)) != std::string::npos);
        CHECK(model->info().device_bytes < test::real_model()->info().device_bytes);
        const auto translator = pipeline::Translator::create(model);
        const auto results = translator->translate(requests, options);
        std::size_t same = 0;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            CAPTURE(i);
            const auto& best = results[i].hypotheses.at(0);
            const auto alone = translator->translate({&requests[i], 1}, options);
            CHECK(alone[0].hypotheses.at(0).tokens == best.tokens);
            CHECK(test::same_result(model->context(), alone[0].hypotheses.at(0).score, best.score));
            if (best.tokens == expected[i].hypotheses.at(0).tokens) {
                ++same;
                CHECK(std::abs(best.score - expected[i].hypotheses[0].score) < (type == DType::q8 ? 0.02f : 0.2f));
            }
        }
        MESSAGE(std::string(name(type)) << ": " << same << " of " << requests.size() << " as in float32");
        CHECK(same * 10 >= requests.size() * (type == DType::q8 ? 9 : 4));  // 4 bits are few for a width of 32
    }
}

TEST_CASE("8 and 4 bits give the values of their blocks: a float32 copy translates to the bit like them") {
    const test::TempDir folder;
    const fs::path blocks = folder.path() / "blocks.gguf", floats = folder.path() / "floats.gguf";
    pipeline::TranslateOptions options;
    options.return_scores = true;
    for (const char* name : test::sweep({"random/t5", "marian/ssru", "huggingface/separate", "random/wide_tanh",
                                         "random/old_shared_v3", "marian/average", "marian/untied"},
                                        3)) {
        CAPTURE(name);
        const fs::path path = fs::path(DRAGOMAN_TEST_DATA) / name;
        for (const DType type : {DType::q8, DType::q4}) {
            fs::path model = path;
            for (const fs::path& one : all_models())
                if (data_folder(one) == path) model = one;
            convert::convert(model.string(), blocks.string(), {.type = type, .replace = true});
            convert::convert(blocks.string(), floats.string(), {.type = DType::f32, .replace = true});
            const auto requests = requests_for(model);
            check_equal(translated(blocks, ComputeType::f32, requests, options),
                        translated(floats, ComputeType::f32, requests, options));
        }
    }
}

TEST_CASE("text goes in and comes out of one file") {
    const test::TempDir folder;
    const fs::path out = folder.path() / "m.gguf";
    const fs::path path = fs::path(DRAGOMAN_TEST_DATA) / "toy-text";
    convert::convert(path.string(), out.string(), {});
    const auto model = pipeline::Model::load(out.string(), {.device = {}, .compute_type = ComputeType::f32});
    CHECK(model->info().has_tokenizer);
    CHECK(model->info().format == "gguf");
    const auto translator = pipeline::Translator::create(model);
    test::compare_texts(*model, *translator, test::read_recorded(path.string()));
}

TEST_CASE("an old file stays unless it is to be replaced, and what is stopped leaves nothing") {
    const test::TempDir folder;
    const std::string out = folder.write("m.gguf", "old");
    const auto files = [&] { return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()); };
    const auto status_of = [&](const std::string& target, const convert::ConvertOptions& options) {
        try {
            convert::convert(test::kRealModel, target, options);
        } catch (const Error& error) {
            const std::string message = error.what();
            INFO(message);
            return error.status();
        }
        return Status::internal;
    };
    CHECK(status_of(out, {}) == Status::io_error);
    uint64_t last = 0, total = 0;
    const auto stop = [&](uint64_t done, uint64_t all) {
        CHECK(done >= last);
        last = done, total = all;
        return done < all / 2;
    };
    CHECK(status_of(out, {.type = std::nullopt, .replace = true, .progress = stop}) == Status::cancelled);
    CHECK(last >= total / 2);
    CHECK(test::read_file(out) == "old");
    CHECK(status_of(folder.path() / "none" / "m.gguf", {}) == Status::io_error);
    CHECK(status_of(folder.path(), {.type = std::nullopt, .replace = true}) == Status::io_error);
    CHECK(files() == 1);
    convert::convert(test::kRealModel, out, {.type = DType::f16, .replace = true});
    CHECK(files() == 1);
    CHECK(families::load(out).format == "gguf");
}

TEST_CASE("float16 refuses what it cannot hold, and leaves nothing") {
    const test::TempDir folder;
    spec::ModelSpec spec = families::load(test::kRealModel);
    const std::string name = "decoder/layer_0/ffn/linear_0/weight";
    std::vector<float> values(spec.weights.get(name).elements(), 1e5f);
    spec::WeightMap weights;
    for (const auto& [key, tensor] : spec.weights.tensors()) {
        spec::HostTensor copy = tensor;
        if (key == name) copy = {.dtype = DType::f32, .shape = tensor.shape, .bytes = std::as_bytes(std::span(values))};
        weights.add(key, copy);
    }
    for (const auto& [alias, target] : spec.weights.aliases()) weights.alias(alias, target);
    spec.weights = std::move(weights);
    try {
        families::write_gguf(spec, folder.path() / "m.gguf", {.type = DType::f16});
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.status() == Status::unsupported);
        CHECK(std::string(error.what()).find(name) != std::string::npos);
    }
    CHECK(fs::is_empty(folder.path()));
}

}  // namespace gguf_test
