// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <map>
#include <string>

#include "attention_picture.h"
#include "device_options.h"
#include "models/models.h"
#include "option_flags.h"
#include "show.h"

namespace cli {
namespace {

constexpr const char* kArguments =
    "Texts, or names of files; none: lines are read.\n"
    "An argument that names a file stands for the file: a document (.docx, .md, .srt ...) is\n"
    "translated as one and needs --output, other files line by line, and several files need a\n"
    "folder as --output. Nothing else may look like a file, by a suffix of such or by a slash\n"
    "in a word: --text is for such texts.";

// Nothing is no language: a script whose variable is empty should not get any.
void expect_languages(CLI::App* app) {
    const auto check = [](const std::string& said) {
        return said.empty() ? std::string("expected a language, got an empty text") : std::string();
    };
    for (const char* name : {"--to", "--from"}) app->get_option(name)->check(check, "");
}

void add_machine(CLI::App* app, Machine& machine) {
    const char* group = "Model and device";
    CLI::Option* model =
        app->add_option("-m,--model", machine.model,
                        "Model; default: the one that DRAGOMAN_MODEL names, or the one that comes with the library")
            ->group(group);
    CLI::Option* models = app->add_option("--models", machine.models,
                                          "Models of one vocabulary that predict together (an ensemble)")
                              ->excludes(model)
                              ->group(group);
    app->add_option("--weights", machine.weights, "Of the models, one for each; default: 1 each")
        ->needs(models)
        ->check(is_number, "")
        ->group(group);
    add_flag(app, "--average-probabilities", machine.average_probabilities,
             "Models add up their probabilities, not the logarithms of these", group);
    add_device(*app, machine.device)->group(group);
    add_compute_type(*app, machine.compute_type)->group(group);
    add_memory_limit(*app, machine.device_options.memory_limit_bytes)->group(group);
    add_cache_dir(*app, machine.cache_dir)->group(group);
    add_flag(app, "--trust-kernels", machine.device_options.trust_kernels,
             "Use kernels without checking them on this device before", group);
    app->add_option("--tune", machine.tune,
                    "At a model's first load on a GPU, measure which kernels are fastest; on: loading waits for it")
        ->check(CLI::IsMember({"auto", "off", "on"}))
        ->capture_default_str()
        ->group(group);
    add_flag(app, "--validation", machine.device_options.validation, "Run under the Vulkan validation layer", group);
}

void add_alignment(CLI::App* translate, TranslateCommand& command, const char* group) {
    translate
        ->add_option("--alignment", command.alignment,
                     "Words that belong together: pharaoh ends lines with a tab and 0-0 1-2, source word and target "
                     "word; json has weights, too")
        ->check(CLI::IsMember({"pharaoh", "json"}))
        ->excludes("--tokens")
        ->each([&command](const std::string& format) {
            command.options.return_alignment = 1;
            command.json |= format == "json";
        })
        ->group(group);
}

void add_route(CLI::App* translate, TranslateCommand& command) {
    translate
        ->add_option("--route", command.route,
                     "Models to find the shortest way over from --from to --to; those on it are loaded")
        ->excludes("--model")
        ->excludes("--models")
        ->group("Model and device");
}

void add_document(CLI::App* translate, TranslateCommand& command) {
    const char* group = "Documents";
    add_flag(translate, "--document", command.document, "The input is a document, whatever its name; needs --output",
             group);
    translate
        ->add_option("--format", command.format,
                     "Format of the document: text, html, xhtml, srt, vtt, ass, markdown, docx, pptx, xlsx, odt,\n"
                     "ods, odp, epub, po, xliff, tmx, json, arb, android, strings; otherwise detected")
        ->each([&command](const std::string&) { command.document = true; })
        ->group(group);
}

void add_texts(CLI::App* translate, TranslateCommand& command) {
    dragoman_translate_options& options = command.options;
    const char* text = "Texts";
    add_option_flags(translate, command, text);
    take_size(translate->add_option(
                  "--memory-size", command.memory_size,
                  "Most bytes of translations that are kept, in --memory's file or, without one, in memory;\n"
                  "with a unit: 512MB, 2GB"))
        ->group(text);
    translate
        ->add_option("--tmx", command.tmx,
                     "Translation memory, whose segments translate equal sentences; may be repeated")
        ->allow_extra_args(false)
        ->group(text);
    expect_file(translate->add_option("--write-tmx", command.write_tmx,
                                      "File to write sentences and their translations to"))
        ->group(text);
    CLI::Option* html = translate->add_flag_callback(
        "--html", [&options] { options.markup = DRAGOMAN_MARKUP_HTML; },
        "The input is one HTML page, or a part of one; its tags stay");
    CLI::Option* xml = translate->add_flag_callback(
        "--xml", [&options] { options.markup = DRAGOMAN_MARKUP_XML; }, "The input is one XML document; its tags stay");
    html->excludes(xml)->group(text);
    xml->group(text);
}

}  // namespace

// `dragoman translate`, and without what a decoder alone has nothing for, `dragoman continue`.
CLI::App* add_translate(CLI::App& app, TranslateCommand& command) {
    const bool translates = !command.continues;
    CLI::App* translate =
        translates ? app.add_subcommand("translate", "Translate texts, a file, or standard input line by line")
                   : app.add_subcommand("continue", "Continue texts, or lines, with a decoder-only model");
    // "[a, b]" is a text: without extra arguments CLI11 does not split lists, but it has to be told to expect many.
    CLI::Option* texts = translate
                             ->add_option(translates ? "text-or-file" : "text", command.texts,
                                          translates ? kArguments : "One text per argument; none: lines are read")
                             ->expected(CLI::detail::expected_max_vector_size, CLI::detail::expected_max_vector_size)
                             ->allow_extra_args(false)
                             ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);

    const char* files = "Input and output";
    translate->add_option("-i,--input", command.input, "File with one text per line; - is standard input")
        ->excludes(texts)
        ->group(files);
    translate
        ->add_option("-o,--output", command.output,
                     translates ? "File to write; - is standard output. For files: a folder, too"
                                : "File to write; - is standard output")
        ->group(files);
    if (translates)
        translate->add_option("--text", command.words, "Text to translate, whatever it looks like; may be repeated")
            ->allow_extra_args(false)
            ->excludes(texts)
            ->excludes("--input")
            ->group(files);
    add_flag(translate, "--tokens", command.tokens, "Input and output are tokens separated by spaces", files);
    add_flag(translate, "--json", command.json, "One JSON object per input", files);
    add_option_flags(translate, command, files);
    if (translates) add_alignment(translate, command, files);
    translate->add_option("--batch-size", command.batch_size, "Lines that are at work at a time")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20))
        ->capture_default_str()
        ->group(files);
    const std::map<std::string, OnError> ways = {{"stop", OnError::stop},
                                                 {"skip", OnError::skip},
                                                 {"copy", OnError::copy}};
    translate
        ->add_option("--on-error", command.on_error,
                     "A line that is not UTF-8, or longer than the model can take: stop there, leave it out,\n"
                     "or copy it; the line is named on standard error")
        ->transform(CLI::CheckedTransformer(ways).description("{stop,skip,copy}"))
        ->type_name("NAME")
        ->default_str("stop")
        ->group(files);
    add_flag(translate, "--stats", command.stats, "Print counters on standard error at the end", files);
    add_flag(translate, "--resume", command.resume,
             "Go on with an --output that was stopped; OUTPUT.resume keeps what is done until then", files);
    translate
        ->add_flag_callback(
            "--no-progress", [&command] { command.progress = false; }, "Do not show how far a file is")
        ->group(files);

    if (translates) add_document(translate, command);
    if (translates) add_texts(translate, command);
    if (translates) expect_languages(translate);
    if (translates) add_show(translate, command);
    if (translates) add_attention_picture(translate, command);
    add_machine(translate, command.machine);
    // The user's file may have what it needs, see check_combinations().
    translate->get_option("--weights")->remove_needs(translate->get_option("--models"));
    if (translates) add_route(translate, command);
    if (translates) add_download_flags(*translate, command.downloads);

    const char* decoding = "Decoding";
    translate->add_option("--prefix", command.prefix, "Target tokens every translation begins with")->group(decoding);
    add_option_flags(translate, command, decoding);
    return translate;
}

CLI::App* add_score(CLI::App& app, ScoreCommand& command) {
    CLI::App* score = app.add_subcommand("score",
                                         "Rate given translations: a line is a source, a tab and its translation;\n"
                                         "for each the sum of its tokens' natural log-probabilities, the end included");
    const char* files = "Input and output";
    score->add_option("-i,--input", command.input, "File with one pair per line; - is standard input")->group(files);
    add_flag(score, "--tokens", command.tokens, "Both sides are tokens separated by spaces", files);
    add_flag(score, "--normalize", command.normalize, "The mean instead of the sum", files);
    add_flag(score, "--words", command.words, "Then the sum of each word of the translation (--tokens: of each token)",
             files);
    add_flag(score, "--json", command.json, "One JSON object per pair, with tokens and words", files);
    const char* text = "Texts";
    score->add_option("--to", command.to, "Language of the translations: BCP 47 (de, pt-BR) or the model's code")
        ->group(text);
    score->add_option("--from", command.from, "Language of the sources: BCP 47 or the model's code")->group(text);
    score
        ->add_option("--max-input-length", command.options.max_input_length,
                     "Tokens of either side that are read; 0: all")
        ->capture_default_str()
        ->group(text);
    add_machine(score, command.machine);
    expect_languages(score);
    return score;
}

CLI::App* add_bench(CLI::App& app, BenchCommand& command) {
    CLI::App* bench = app.add_subcommand("bench", "Measure speed, latency and memory of a model on a device");
    const char* inputs = "Inputs";
    CLI::Option* input = bench->add_option("-i,--input", command.input, "File with one text per line")->group(inputs);
    bench->add_option("--synthetic", command.synthetic, "Random words instead, SENTENCESxTOKENS; default 32x25")
        ->excludes(input)
        ->group(inputs);
    add_flag(bench, "--tokens", command.tokens, "The file's lines are tokens separated by spaces", inputs);
    bench->add_option("--to", command.to, "Language to translate to: BCP 47 (de, pt-BR) or the model's code")
        ->group(inputs);
    bench->add_option("--from", command.from, "Language of the file's text: BCP 47 or the model's code")->group(inputs);
    bench->add_option("--seed", command.bench.seed, "Seed of the random words")->capture_default_str()->group(inputs);

    const char* output = "Output";
    add_flag(bench, "--json", command.json, "The report as JSON, see docs/bench.md", output);
    expect_file(bench->add_option("--plot", command.plot, "Picture to write (PNG): time by pass, roofline"))
        ->group(output);

    add_machine(bench, command.machine);

    const char* work = "Work";
    const auto add = [&](const char* name, auto& target, const char* text) {
        bench->add_option(name, target, text)->capture_default_str()->group(work);
    };
    const auto add_unset = [&](const char* name, auto& target, const char* text) {
        bench->add_option(name, target, text)->group(work)->default_str("model's");
    };
    add_unset("-b,--beam", command.options.beam_size, "Beam size; 1: greedy");
    add("--batch-size", command.options.max_batch_size, "Sentences per device batch; 0: the library chooses");
    add_unset("--max-length", command.options.max_decoding_length, "Most target tokens of a translation");
    add_unset("--min-length", command.options.min_decoding_length, "Fewest target tokens of a translation");
    add("-r,--repeat", command.bench.repeat, "Timed runs, after one to warm up");
    add("--latency-samples", command.bench.latency_samples, "Inputs translated alone, for the percentiles; 0: none");
    bench->add_flag_callback(
             "--no-ceilings", [&] { command.bench.ceilings = 0; }, "Leave out the device's ceilings")
        ->group(work);
    bench->add_flag_callback(
             "--no-passes", [&] { command.bench.passes = 0; }, "Leave out the time by pass")
        ->group(work);
    expect_languages(bench);
    return bench;
}

std::map<std::string, int32_t> weight_types() {
    return {{"keep", DRAGOMAN_WEIGHTS_KEEP},
            {"f32", DRAGOMAN_WEIGHTS_F32},
            {"f16", DRAGOMAN_WEIGHTS_F16},
            {"q8", DRAGOMAN_WEIGHTS_Q8},
            {"q4", DRAGOMAN_WEIGHTS_Q4}};
}

CLI::App* add_convert(CLI::App& app, ConvertCommand& command) {
    CLI::App* convert = app.add_subcommand("convert", "Write a model as one GGUF file");
    convert->add_option("source", command.source, "Model: a folder, a file or a zip archive")->required();
    expect_file(convert->add_option("output", command.output, "File to write, MODEL.gguf"))->required();
    convert
        ->add_option("-t,--type", command.options.weight_type,
                     "How matrices are stored: as they are (int8 too), in float32 or float16, or in blocks of\n"
                     "32 numbers of 8 or 4 bits")
        ->transform(CLI::CheckedTransformer(weight_types()).description("{keep,f32,f16,q8,q4}"))
        ->type_name("NAME")
        ->default_str("keep");
    const char* words = "Learned from translations";
    convert
        ->add_option("--alignment-text", command.alignment_text,
                     "File with a hundred sentences: they are translated, and the model names the\n"
                     "heads that align their words best")
        ->group(words);
    convert
        ->add_option("--calibrate", command.quality_pairs,
                     "File with 200 lines or more, SOURCE, tab, TRANSLATION, by people, and TARGET LANGUAGE behind\n"
                     "another tab: how sure translations are is fitted to them")
        ->group(words);
    convert->add_option("--from", command.from, "Language of these sentences: BCP 47 or the model's code")
        ->group(words);
    convert->add_option("--to", command.to, "Language to translate them to, in the same form")->group(words);
    add_flag(convert, "--force", command.options.replace, "Replace the file if there is one", "Options");
    add_flag(convert, "--progress", command.progress, "Show on standard error how much is written", "Options");
    expect_languages(convert);
    return convert;
}

CLI::App* add_embed(CLI::App& app, EmbedCommand& command) {
    CLI::App* embed = app.add_subcommand("embed",
                                         "Vectors of texts, from a model's encoder; similar and nearest texts");
    CLI::Option* texts = embed->add_option("text", command.texts, "One text per argument; none: lines are read")
                             ->expected(CLI::detail::expected_max_vector_size, CLI::detail::expected_max_vector_size)
                             ->allow_extra_args(false)
                             ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    const char* files = "Input and output";
    embed->add_option("-i,--input", command.input, "File with one text per line; - is standard input")
        ->excludes(texts)
        ->group(files);
    embed->add_option("--from", command.from, "Language of the texts, for models whose encoder gets it")->group(files);
    embed->add_option("--to", command.to, "Language to translate to, for the same models")->group(files);
    CLI::Option* json =
        embed->add_flag("--json", command.json, "One JSON object per text, with its tokens if asked for")->group(files);
    CLI::Option* npy =
        expect_file(embed->add_option("--npy", command.npy, "File to write: all vectors as a NumPy array"))
            ->excludes(json)
            ->group(files);
    CLI::Option* nearest = embed
                               ->add_option("--nearest", command.nearest,
                                            "File with one text per line: for each text the line with the largest\n"
                                            "cosine, as COSINE, line number, TEXT, LINE")
                               ->excludes(npy)
                               ->group(files);
    embed->add_option("-n,--count", command.count, "How many of the nearest")
        ->needs(nearest)
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->group(files);
    embed
        ->add_flag("--pairs", command.pairs,
                   "Each line is two texts with a tab between them: their cosine goes in front")
        ->excludes(nearest)
        ->excludes(npy)
        ->group(files);

    add_machine(embed, command.machine);

    const char* group = "Vectors";
    const std::map<std::string, int32_t> poolings = {{"model", DRAGOMAN_POOLING_MODEL},
                                                     {"mean", DRAGOMAN_POOLING_MEAN},
                                                     {"cls", DRAGOMAN_POOLING_CLS},
                                                     {"pooler", DRAGOMAN_POOLING_POOLER},
                                                     {"tokens", DRAGOMAN_POOLING_TOKENS}};
    embed
        ->add_option("-p,--pooling", command.options.pooling,
                     "model: as the model's files say, or the mean over all tokens; tokens: a line for each")
        ->transform(CLI::CheckedTransformer(poolings).description("{" + names(poolings) + "}"))
        ->type_name("NAME")
        ->default_str("model")
        ->group(group);
    embed
        ->add_flag_callback(
            "--normalize", [&] { command.options.normalize = DRAGOMAN_NORMALIZE_ON; },
            "Vectors of length 1; default: as the model says")
        ->group(group);
    embed
        ->add_flag_callback(
            "--no-normalize", [&] { command.options.normalize = DRAGOMAN_NORMALIZE_OFF; }, "Vectors as they are")
        ->group(group);
    embed
        ->add_option("--max-tokens", command.options.max_tokens, "Most tokens of a text; 0: as many as the model takes")
        ->capture_default_str()
        ->group(group);
    add_flag(embed, "--truncate", command.options.truncate, "Cut longer texts, which are an error otherwise", group);
    embed->add_option("--batch-size", command.batch_size, "Texts at work at a time")
        ->check(CLI::PositiveNumber)
        ->capture_default_str()
        ->group(group);
    expect_languages(embed);
    return embed;
}

CLI::App* add_detect(CLI::App& app, DetectCommand& command) {
    CLI::App* detect = app.add_subcommand(
        "detect", "Which language texts are in: a line is the language's tag, its probability and the text, with tabs");
    CLI::Option* texts = detect->add_option("text", command.texts, "One text per argument; none: lines are read")
                             ->expected(CLI::detail::expected_max_vector_size, CLI::detail::expected_max_vector_size)
                             ->allow_extra_args(false)
                             ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    detect->add_option("-i,--input", command.input, "File with one text per line; - is standard input")
        ->excludes(texts);
    detect->add_option("--expect", command.expected, "Languages that are likelier than others: en,de (at most 8)");
    detect->add_flag("--sentences", command.sentences, "A line for each sentence of a text");
    detect->add_flag("--json", command.json, "One JSON object per text or sentence, with up to 3 languages");
    return detect;
}

}  // namespace cli
