// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <map>
#include <string>

namespace cli {
namespace {

template <class T>
void add_flag(CLI::App* app, const char* name, T& target, const char* text, const char* group) {
    app->add_flag_callback(name, [&target] { target = 1; }, text)->group(group);
}

std::string names(const std::map<std::string, int32_t>& choices) {
    std::string list;
    for (const auto& [name, value] : choices) list += (list.empty() ? "" : ",") + name;
    return list;
}

void add_machine(CLI::App* app, Machine& machine) {
    const char* group = "Model and device";
    CLI::Option* model = app->add_option(
        "-m,--model", machine.model,
        "Model; default: the one that DRAGOMAN_MODEL names, else the one that comes with the library")
        ->group(group);
    CLI::Option* models = app->add_option("--models", machine.models,
                                          "Models of one vocabulary that predict together (an ensemble)")
                              ->excludes(model)->group(group);
    app->add_option("--weights", machine.weights, "Of the models, one for each; default: 1 each")
        ->needs(models)->group(group);
    add_flag(app, "--average-probabilities", machine.average_probabilities,
             "Models add up their probabilities, not the logarithms of these", group);
    app->add_option("-d,--device", machine.device, "Index, UUID or part of the name, see 'dragoman devices'")
        ->group(group);
    app->add_option("--compute-type", machine.compute_type,
                    "auto: int8 for a model made for it, else float16 on GPUs that have it")
        ->check(CLI::IsMember({"auto", "float32", "float16", "int8"}))->capture_default_str()->group(group);
    app->add_option("--memory-limit", machine.device_options.memory_limit_bytes,
                    "Most device memory to use, in bytes or with a unit: 512MB, 2GB; 0: no limit")
        ->transform(CLI::AsSizeValue(false))->type_name("SIZE")->default_str("0")->group(group);
    app->add_option("--cache-dir", machine.cache_dir, "Folder for compiled pipelines; -: none")->group(group);
    add_flag(app, "--trust-kernels", machine.device_options.trust_kernels,
             "Use kernels without checking them on this device before", group);
    app->add_option("--tune", machine.tune,
                    "At a model's first load on a GPU, measure which kernels are fastest; on: loading waits for it")
        ->check(CLI::IsMember({"auto", "off", "on"}))->capture_default_str()->group(group);
    add_flag(app, "--validation", machine.device_options.validation, "Run under the Vulkan validation layer", group);
}

void add_attention(CLI::App* translate, TranslateCommand& command, const char* group) {
    dragoman_translate_options& options = command.options;
    add_flag(translate, "--attention", options.return_attention,
             "Print a table after each translation: source tokens across, target tokens down", group);
    translate->add_option("--alignment", command.alignment,
                          "Words that belong together: pharaoh ends lines with a tab and 0-0 1-2, source word and target "
                          "word; json has weights, too")
        ->check(CLI::IsMember({"pharaoh", "json"}))->excludes("--tokens")
        ->each([&command](const std::string& format) {
            command.options.return_alignment = 1;
            command.json |= format == "json";
        })->group(group);
    translate->add_option("--attention-layer", options.attention_layer,
                          "Decoder layer, from 1; 0: the one that the model names for alignment")
        ->capture_default_str()->group(group);
    translate->add_option("--attention-head", options.attention_head,
                          "Head, from 1; all: the mean of all heads; 0: the mean of those that the model names")
        ->transform(CLI::Transformer(std::map<std::string, uint32_t>{{"all", DRAGOMAN_ALL_HEADS}}).description(""))
        ->capture_default_str()->group(group);
}

void add_route(CLI::App* translate, TranslateCommand& command) {
    translate->add_option("--route", command.route,
                          "Models to find the shortest way over from --from to --to; those on it are loaded")
        ->excludes("--model")->excludes("--models")->needs("--from")->needs("--to")->group("Model and device");
}

void add_document(CLI::App* translate, TranslateCommand& command) {
    const char* group = "Documents";
    add_flag(translate, "--document", command.document, "The input is a document, whatever its name; needs --output", group);
    translate->add_option("--format", command.format,
                          "Format of the document: text, html, xhtml, srt, vtt, markdown, docx, pptx, xlsx, odt, ods,\n"
                          "odp, epub, po, xliff, tmx, json, arb, android, strings; else found")
        ->each([&command](const std::string&) { command.document = true; })->group(group);
    translate->add_option("--resume", command.resume,
                          "File that keeps translations until the document is written, for going on after a stop")
        ->each([&command](const std::string&) { command.document = true; })->group(group);
}

void add_texts(CLI::App* translate, TranslateCommand& command) {
    dragoman_translate_options& options = command.options;
    const char* text = "Texts";
    translate->add_option("--to", command.to, "Language to translate to: BCP 47 (de, pt-BR) or the model's code")
        ->group(text);
    translate->add_option("--from", command.from,
                          "Language of the texts: BCP 47 or the model's code; auto: found sentence by sentence")
        ->group(text);
    translate->add_flag_callback("--no-split", [&options] { options.split_sentences = 0; },
                                 "Each line or text is one sentence, which --max-input-length cuts")->group(text);
    translate->add_option("--glossary", command.glossary,
                          "File of terms that translations must have: SOURCE, tab or comma, TARGET; or TBX")
        ->group(text);
    translate->add_option("--memory", command.memory,
                          "File of SQLite that keeps translations, so that no sentence is translated again")
        ->group(text);
    translate->add_option("--memory-size", command.memory_size,
                          "Most bytes of translations that are kept, in --memory's file or, without one, in memory;\n"
                          "with a unit: 512MB, 2GB")
        ->transform(CLI::AsSizeValue(false))->type_name("SIZE")->group(text);
    translate->add_option("--tmx", command.tmx,
                          "Translation memory, whose segments translate equal sentences; may be repeated")
        ->allow_extra_args(false)->group(text);
    translate->add_option("--write-tmx", command.write_tmx, "File to write sentences and their translations to")
        ->group(text);
    add_flag(translate, "--keep-spans", options.keep_spans,
             "Force placeholders, addresses and names of programs in the search, too", text);
    add_flag(translate, "--quality", options.return_quality,
             "How sure each translation is, 0 to 1, in front of it and a tab; in JSON each sentence and word", text);
    translate->add_option("--quality-marks", options.quality_marks,
                          "With --html: words whose score is lower stand in <span class=\"dragoman-unsure\">")
        ->capture_default_str()->group(text);
    CLI::Option* html = translate->add_flag_callback("--html", [&options] { options.markup = DRAGOMAN_MARKUP_HTML; },
                                                     "The input is one HTML page, or a part of one; its tags stay");
    CLI::Option* xml = translate->add_flag_callback("--xml", [&options] { options.markup = DRAGOMAN_MARKUP_XML; },
                                                    "The input is one XML document; its tags stay");
    html->excludes(xml)->group(text);
    xml->group(text);
    add_flag(translate, "--raw", options.raw, "The model sees texts as they are: no rules for what it cannot read", text);
    add_flag(translate, "--join-lines", options.join_lines, "Lines up to a blank line are one paragraph", text);
    translate->add_option("--max-segment-tokens", options.max_segment_tokens,
                          "Longer sentences are translated in parts; 0: 128")
        ->capture_default_str()->group(text);
}

}  // namespace

// `dragoman translate`, and without what a decoder alone has nothing for, `dragoman continue`.
CLI::App* add_translate(CLI::App& app, TranslateCommand& command) {
    const bool translates = !command.continues;
    CLI::App* translate =
        translates ? app.add_subcommand("translate", "Translate texts, a file, or standard input line by line")
                   : app.add_subcommand("continue", "Continue texts, or lines, with a model that is a decoder alone");
    dragoman_translate_options& options = command.options;
    // "[a, b]" is a text: without extra arguments CLI11 does not split lists, but it has to be told to expect many.
    CLI::Option* texts = translate->add_option("text", command.texts, "One text per argument; none: lines are read")
                             ->expected(CLI::detail::expected_max_vector_size, CLI::detail::expected_max_vector_size)
                             ->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);

    const char* files = "Input and output";
    translate->add_option("-i,--input", command.input, "File with one text per line; - is standard input")
        ->excludes(texts)->group(files);
    translate->add_option("-o,--output", command.output, "File to write; - is standard output")->group(files);
    add_flag(translate, "--tokens", command.tokens, "Input and output are tokens separated by spaces", files);
    add_flag(translate, "--json", command.json, "One JSON object per input", files);
    translate->add_option("--n-best", options.num_hypotheses,
                          "Translations per input; above 1, lines begin with the number of their input and a tab")
        ->capture_default_str()->group(files);
    add_flag(translate, "--scores", options.return_scores, "Begin lines with the score and a tab", files);
    if (translates) add_attention(translate, command, files);
    translate->add_option("--batch-size", command.batch_size, "Lines that are at work at a time")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20))->capture_default_str()->group(files);
    const std::map<std::string, OnError> ways = {
        {"stop", OnError::stop}, {"skip", OnError::skip}, {"copy", OnError::copy}};
    translate->add_option("--on-error", command.on_error,
                          "A line that is not UTF-8, or longer than the model can take: stop there, leave it out,\n"
                          "or copy it; the line is named on standard error")
        ->transform(CLI::CheckedTransformer(ways).description("{stop,skip,copy}"))
        ->type_name("NAME")->default_str("stop")->group(files);
    add_flag(translate, "--stats", command.stats, "Print counters on standard error at the end", files);

    if (translates) add_document(translate, command);
    if (translates) add_texts(translate, command);
    add_machine(translate, command.machine);
    if (translates) add_route(translate, command);

    const char* decoding = "Decoding";
    const auto add = [&](const char* name, auto& target, const char* text) {
        translate->add_option(name, target, text)->capture_default_str()->group(decoding);
    };
    const auto add_unset = [&](const char* name, auto& target, const char* text) {
        translate->add_option(name, target, text)->group(decoding)->default_str("model's");
    };
    const auto add_choice = [&](const char* name, int32_t& target, std::map<std::string, int32_t> choices,
                                const char* text) {
        translate->add_option(name, target, text)
            ->transform(CLI::CheckedTransformer(choices).description("{" + names(choices) + "}"))
            ->type_name("NAME")->default_str("auto")->group(decoding);
    };
    add_choice("--search", options.search,
               {{"auto", DRAGOMAN_SEARCH_AUTO}, {"ctranslate2", DRAGOMAN_SEARCH_CTRANSLATE2},
                {"marian", DRAGOMAN_SEARCH_MARIAN}, {"huggingface", DRAGOMAN_SEARCH_HUGGINGFACE}},
               "Which engine's beam search; auto: that of the engine the model was made for");
    add_unset("-b,--beam", options.beam_size, "Beam size; 1: greedy");
    add_choice("--early-stopping", options.early_stopping,
               {{"auto", DRAGOMAN_EARLY_STOPPING_AUTO}, {"off", DRAGOMAN_EARLY_STOPPING_OFF},
                {"on", DRAGOMAN_EARLY_STOPPING_ON}, {"never", DRAGOMAN_EARLY_STOPPING_NEVER}},
               "What ends Hugging Face's search once --beam hypotheses have finished");
    add("--patience", options.patience, "Finished hypotheses to wait for, as a multiple of the beam size");
    add_unset("--length-penalty", options.length_penalty, "Scores are divided by the length to this power");
    add_unset("--word-penalty", options.word_penalty, "Subtracted from the score for each token, in Marian's search");
    if (translates) add("--coverage-penalty", options.coverage_penalty, "Weight of the reward for covering the source");
    add_unset("--repetition-penalty", options.repetition_penalty,
              "Above 1: tokens that have occurred become less likely");
    add_unset("--no-repeat-ngram", options.no_repeat_ngram_size,
              "No sequence of this many tokens occurs twice; 0: off");
    add_choice("--sampling", options.sampling,
               {{"auto", DRAGOMAN_SAMPLING_AUTO}, {"off", DRAGOMAN_SAMPLING_OFF}, {"on", DRAGOMAN_SAMPLING_ON}},
               "Draw tokens by their probabilities; auto: as the model says");
    add_unset("--temperature", options.temperature, "With sampling: divides the logits");
    add_unset("--top-k", options.top_k, "With sampling: only so many of the best tokens; 0: all");
    add_unset("--top-p", options.top_p, "With sampling: only the best with this probability together");
    add_unset("--min-p", options.min_p, "With sampling: only tokens with this share of the best one's probability");
    add("--sampling-seed", options.seed, "With sampling: the same seed gives a sentence the same samples");
    add_unset("--max-length", options.max_decoding_length, "Most target tokens of a translation");
    if (translates)
        add_unset("--max-length-factor", options.max_length_factor,
                  "The same as a multiple of the source's length; 0: off");
    add_unset("--min-length", options.min_decoding_length, "Fewest target tokens of a translation");
    if (translates) add("--max-input-length", options.max_input_length, "Source tokens that are read; 0: all");
    translate->add_option("--prefix", command.prefix, "Target tokens every translation begins with")->group(decoding);
    if (translates)
        add("--prefix-bias", options.prefix_bias_beta, "0: the prefix is forced; up to 1: only made more likely");
    translate->add_option("--suppress", command.suppress, "Token sequence that must not appear; may be repeated")
        ->allow_extra_args(false)->group(decoding);
    translate->add_option("--end-token", command.end_tokens, "Token that ends a translation; may be repeated")
        ->allow_extra_args(false)->group(decoding);
    add_flag(translate, "--return-end-token", options.return_end_token, "Keep the end token", decoding);
    add_flag(translate, "--disable-unk", options.disable_unk, "Never produce the unknown token", decoding);
    if (translates) {
        add_flag(translate, "--shortlist", options.use_shortlist, "Only tokens of the model's lexical shortlist",
                 decoding);
        add_flag(translate, "--replace-unknowns", options.replace_unknowns,
                 "Replace unknown tokens by the source token that gets most attention", decoding);
    }
    add_flag(translate, "--alternatives", options.return_alternatives,
             "Continue each of the n best first tokens after the prefix", decoding);
    add("--min-alternative-prob", options.min_alternative_expansion_prob, "Least probability of those first tokens");
    return translate;
}

CLI::App* add_score(CLI::App& app, ScoreCommand& command) {
    CLI::App* score = app.add_subcommand(
        "score", "Rate given translations: a line is a source, a tab and its translation;\n"
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
    score->add_option("--max-input-length", command.options.max_input_length,
                      "Tokens of either side that are read; 0: all")->capture_default_str()->group(text);
    add_machine(score, command.machine);
    return score;
}

CLI::App* add_bench(CLI::App& app, BenchCommand& command) {
    CLI::App* bench = app.add_subcommand("bench", "Measure speed, latency and memory of a model on a device");
    const char* inputs = "Inputs";
    CLI::Option* input = bench->add_option("-i,--input", command.input, "File with one text per line")->group(inputs);
    bench->add_option("--synthetic", command.synthetic, "Random words instead, SENTENCESxTOKENS; default 32x25")
        ->excludes(input)->group(inputs);
    add_flag(bench, "--tokens", command.tokens, "The file's lines are tokens separated by spaces", inputs);
    bench->add_option("--to", command.to, "Language to translate to: BCP 47 (de, pt-BR) or the model's code")
        ->group(inputs);
    bench->add_option("--from", command.from, "Language of the file's text: BCP 47 or the model's code")->group(inputs);
    bench->add_option("--seed", command.bench.seed, "Seed of the random words")->capture_default_str()->group(inputs);

    const char* output = "Output";
    add_flag(bench, "--json", command.json, "The report as JSON, see docs/bench.md", output);
    bench->add_option("--plot", command.plot, "Picture to write (PNG): time by pass, roofline")->group(output);

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
    bench->add_flag_callback("--no-ceilings", [&] { command.bench.ceilings = 0; },
                             "Leave out the device's ceilings")->group(work);
    bench->add_flag_callback("--no-passes", [&] { command.bench.passes = 0; }, "Leave out the time by pass")
        ->group(work);
    return bench;
}

CLI::App* add_convert(CLI::App& app, ConvertCommand& command) {
    CLI::App* convert = app.add_subcommand("convert", "Write a model as one GGUF file");
    convert->add_option("source", command.source, "Model: a folder, a file or a zip archive")->required();
    convert->add_option("output", command.output, "File to write, MODEL.gguf")->required();
    const std::map<std::string, int32_t> types = {{"keep", DRAGOMAN_WEIGHTS_KEEP}, {"f32", DRAGOMAN_WEIGHTS_F32},
                                                  {"f16", DRAGOMAN_WEIGHTS_F16},   {"q8", DRAGOMAN_WEIGHTS_Q8},
                                                  {"q4", DRAGOMAN_WEIGHTS_Q4}};
    convert->add_option("-t,--type", command.options.weight_type,
                        "How matrices are stored: as they are (int8 too), in float32 or float16, or in blocks of\n"
                        "32 numbers of 8 or 4 bits")
        ->transform(CLI::CheckedTransformer(types).description("{keep,f32,f16,q8,q4}"))
        ->type_name("NAME")->default_str("keep");
    const char* words = "What translations tell";
    convert->add_option("--alignment-text", command.alignment_text,
                                            "File with a hundred sentences: they are translated, and the model names the\n"
                                            "heads that align their words best")->group(words);
    convert->add_option("--calibrate", command.quality_pairs,
                        "File with 200 lines or more, SOURCE, tab, TRANSLATION, by people, and TARGET LANGUAGE behind\n"
                        "another tab: how sure translations are is fitted to them")->group(words);
    convert->add_option("--from", command.from, "Language of these sentences: BCP 47 or the model's code")->group(words);
    convert->add_option("--to", command.to, "Language to translate them to, likewise")->group(words);
    add_flag(convert, "--force", command.options.replace, "Replace the file if there is one", "Options");
    add_flag(convert, "--progress", command.progress, "Show on standard error how much is written", "Options");
    return convert;
}

CLI::App* add_embed(CLI::App& app, EmbedCommand& command) {
    CLI::App* embed = app.add_subcommand("embed", "Vectors of texts, from a model's encoder; similar and nearest texts");
    CLI::Option* texts = embed->add_option("text", command.texts, "One text per argument; none: lines are read")
                             ->expected(CLI::detail::expected_max_vector_size, CLI::detail::expected_max_vector_size)
                             ->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    const char* files = "Input and output";
    embed->add_option("-i,--input", command.input, "File with one text per line; - is standard input")
        ->excludes(texts)->group(files);
    embed->add_option("--from", command.from, "Language of the texts, for models that tell their encoder")->group(files);
    embed->add_option("--to", command.to, "Language to translate to, likewise")->group(files);
    CLI::Option* json = embed->add_flag("--json", command.json, "One JSON object per text, with its tokens if asked for")
                            ->group(files);
    CLI::Option* npy = embed->add_option("--npy", command.npy, "File to write: all vectors as a NumPy array")
                           ->excludes(json)->group(files);
    CLI::Option* nearest = embed->add_option("--nearest", command.nearest,
                                             "File with one text per line: for each text the line with the largest\n"
                                             "cosine, as COSINE, line number, TEXT, LINE")
                               ->excludes(npy)->group(files);
    embed->add_option("-n,--count", command.count, "How many of the nearest")->needs(nearest)->capture_default_str()
        ->check(CLI::PositiveNumber)->group(files);
    embed->add_flag("--pairs", command.pairs, "Each line is two texts with a tab between them: their cosine goes in front")
        ->excludes(nearest)->excludes(npy)->group(files);

    add_machine(embed, command.machine);

    const char* group = "Vectors";
    const std::map<std::string, int32_t> poolings = {{"model", DRAGOMAN_POOLING_MODEL}, {"mean", DRAGOMAN_POOLING_MEAN},
                                                     {"cls", DRAGOMAN_POOLING_CLS}, {"pooler", DRAGOMAN_POOLING_POOLER},
                                                     {"tokens", DRAGOMAN_POOLING_TOKENS}};
    embed->add_option("-p,--pooling", command.options.pooling,
                      "model: what the model's files say, else the mean over all tokens; tokens: a line for each")
        ->transform(CLI::CheckedTransformer(poolings).description("{" + names(poolings) + "}"))
        ->type_name("NAME")->default_str("model")->group(group);
    embed->add_flag_callback("--normalize", [&] { command.options.normalize = DRAGOMAN_NORMALIZE_ON; },
                             "Vectors of length 1; default: as the model says")->group(group);
    embed->add_flag_callback("--no-normalize", [&] { command.options.normalize = DRAGOMAN_NORMALIZE_OFF; },
                             "Vectors as they are")->group(group);
    embed->add_option("--max-tokens", command.options.max_tokens, "Most tokens of a text; 0: as many as the model takes")
        ->capture_default_str()->group(group);
    add_flag(embed, "--truncate", command.options.truncate, "Cut longer texts, which are an error otherwise", group);
    embed->add_option("--batch-size", command.batch_size, "Texts at work at a time")->check(CLI::PositiveNumber)
        ->capture_default_str()->group(group);
    return embed;
}

CLI::App* add_detect(CLI::App& app, DetectCommand& command) {
    CLI::App* detect = app.add_subcommand(
        "detect", "Which language texts are in: a line is the language's tag, its probability and the text, with tabs");
    CLI::Option* texts = detect->add_option("text", command.texts, "One text per argument; none: lines are read")
                             ->expected(CLI::detail::expected_max_vector_size, CLI::detail::expected_max_vector_size)
                             ->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    detect->add_option("-i,--input", command.input, "File with one text per line; - is standard input")
        ->excludes(texts);
    detect->add_option("--expect", command.expected, "Languages that are likelier than others: en,de (at most 8)");
    detect->add_flag("--sentences", command.sentences, "A line for each sentence of a text");
    detect->add_flag("--json", command.json, "One JSON object per text or sentence, with up to 3 languages");
    return detect;
}

}  // namespace cli
