// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cli {

// Fields in the order they were set; floats with as many digits as a float has.
using Json =
    nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;

// A failure at run time, for exit code 1. Library errors are dragoman::Error.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Loaded;

struct Interrupted {
    int signal;  // SIGINT by Ctrl-C, or SIGTERM
};

// The model, and where it runs.
struct Machine {
    std::string model, device, cache_dir;  // empty: the library's defaults
    std::vector<std::string> models;       // an ensemble, instead of `model`
    std::vector<float> weights;
    bool average_probabilities = false;
    std::string compute_type = "auto", tune = "auto";
    dragoman::DeviceOptions device_options;

    // The library's default model when none was named.
    const char* path() const;
    const dragoman::DeviceOptions& where();  // borrows the names
    const dragoman::ModelOptions& how();  // borrows the names

private:
    std::vector<dragoman_string> more_models_;
    dragoman::ModelOptions model_options_;
};

// What may be fetched for a translation.
struct Downloads {
    bool yes = false;      // without a question
    bool offline = false;  // nothing
};

// What happens after an input that cannot be translated.
enum class OnError : int { stop, skip, copy };

struct TranslateCommand {
    std::vector<std::string> texts;  // empty: lines of `input`
    std::vector<std::string> words;  // texts that are no names of files, whatever they look like
    std::string input = "-";         // "-": standard input
    std::string output = "-";        // "-": standard output
    std::vector<std::pair<std::string, std::string>> files;  // several inputs with their outputs, instead of these
    Machine machine;
    Downloads downloads;
    std::vector<std::string> chosen;  // names of the models, where none was named by the user
    std::string prefix, from, to;
    std::vector<std::string> route;  // models to find a way over, instead of machine.model
    std::vector<std::string> suppress, end_tokens;
    std::size_t batch_size = 4096;   // inputs at work at a time
    bool tokens = false, json = false, stats = false, verbose = false;
    bool texts_are_whole = false;    // a file is one text, and its end is no line end
    OnError on_error = OnError::stop;
    std::string glossary;            // file of terms; empty: none
    std::string memory, write_tmx;   // files; empty: none
    std::optional<uint64_t> memory_size;  // of the file, or without one, of memory
    std::vector<std::string> tmx;
    std::string alignment;           // of words: pharaoh, json or none
    bool continues = false;          // texts are continued, not translated
    std::string format;              // of a document; empty: found, where a document is given
    bool document = false;           // `input` is one
    std::string folder;              // to make for what is written; empty: none
    bool keeps_lines = false;        // for going on after a stop
    bool resume = false;             // goes on with an output that was stopped
    bool progress = true;            // shown on standard error
    std::set<std::string> given;     // options of the command line, by their long names; others are defaults
    std::string show;                // an HTML page to write; empty: none
    std::string attention_picture;   // a PNG to write; empty: none
    dragoman::TranslateOptions options;
};

void translate(TranslateCommand& command);
// Whether the input is a document: it was said, or it is a file with the name of one, and the output is a file.
bool is_document(const TranslateCommand& command);
bool names_document(const std::string& path);
// Whether the command line, not the user's file, says that inputs are lines: --json or --tokens.
bool asks_for_lines(const TranslateCommand& command);
void translate_document(TranslateCommand& command, Loaded& loaded);
// Refuses what cannot be done, before a model is loaded.
void check_document(const TranslateCommand& command);

struct ScoreCommand {
    std::string input = "-";  // "-": standard input
    Machine machine;
    std::string from, to;
    bool tokens = false, json = false, words = false, normalize = false;
    dragoman::ScoreOptions options;
};
void score(ScoreCommand& command);

struct BenchCommand {
    std::string input, synthetic;  // lines of `input`, or random words: SENTENCESxTOKENS
    Machine machine;
    std::string plot, from, to;
    bool tokens = false, json = false;
    dragoman::TranslateOptions options;
    dragoman::BenchOptions bench;
};
void bench(BenchCommand& command);

struct ConvertCommand {
    std::string source, output;
    std::string alignment_text, quality_pairs, from, to;  // files, and their languages
    bool progress = false;
    dragoman::ConvertOptions options;
};
void convert(ConvertCommand& command);

struct EmbedCommand {
    std::vector<std::string> texts;  // empty: lines of `input`
    std::string input = "-";  // "-": standard input
    Machine machine;
    std::string from, to, npy, nearest;
    std::size_t batch_size = 4096;  // texts at a time
    uint32_t count = 1;  // of the nearest
    bool json = false, pairs = false;
    dragoman::EmbedOptions options;
};
void embed(EmbedCommand& command);

struct DetectCommand {
    std::vector<std::string> texts;  // empty: lines of `input`
    std::string input = "-";  // "-": standard input
    std::string expected;
    bool sentences = false, json = false;
};
void detect(const DetectCommand& command);

void devices(bool json);
// False: some give wrong results.
bool check_kernels(Machine& machine, bool json);
void info(const std::string& model, bool json);

}  // namespace cli
