// SPDX-License-Identifier: Apache-2.0
#include "families/pytorch/description.h"

#include <string_view>

#include "base/error.h"
#include "base/os/path_text.h"
#include "families/pytorch/json_section.h"
#include "formats/json_object.h"

namespace dragoman::families {
namespace {

using Stack = PyTorchDescription::Stack;
using Positions = PyTorchDescription::Positions;

constexpr uint32_t kMaxPytorchWidth = 1u << 16, kMaxPytorchLayers = 1u << 10, kMaxHeads = 1u << 10,
                   kMaxLength = 1u << 16;
constexpr uint32_t kMaxVocabulary = 1u << 26, kMaxDecoded = 4096;
constexpr const char* kFiles[] = {"model.pt", "model.pth", "model.safetensors", "pytorch_model.bin"};

template <class T>
T required(std::optional<T> value, const JsonSection& json, const char* key, const char* expected) {
    if (!value) json.missing(key, expected);
    return *std::move(value);
}

Activation read_activation(const JsonSection& json) {
    constexpr std::pair<std::string_view, Activation> known[] = {{"relu", Activation::relu},
                                                                 {"gelu", Activation::gelu},
                                                                 {"gelu_tanh", Activation::gelu_tanh},
                                                                 {"silu", Activation::swish}};
    const std::string name = json.text("activation").value_or("relu");
    for (const auto& [known_name, activation] : known)
        if (name == known_name) return activation;
    json.wrong("activation", "relu, gelu, gelu_tanh or silu", name);
}

// The arguments of PyTorch's constructors under their names. `ending`: of the stack's name in a whole transformer.
Stack read_stack(const JsonSection& json, const char* layers_key, std::string_view ending) {
    Stack stack;
    stack.place = json.label("");
    stack.name = required(json.text("name"), json, "name", "what the tensors' names begin with");
    if (!stack.name.empty()) stack.name += '.';
    stack.name += ending;
    stack.heads = required(json.number("nhead", 1, kMaxHeads), json, "nhead",
                           "the number of attention heads, which tensors do not tell");
    stack.activation = read_activation(json);
    stack.norm_epsilon = float(json.real("layer_norm_eps", 1e-12, 0.1).value_or(1e-5));
    stack.norm_first = json.flag("norm_first").value_or(false);
    stack.d_model = json.number("d_model", 1, kMaxPytorchWidth);
    stack.ffn = json.number("dim_feedforward", 1, kMaxPytorchWidth);
    stack.layers_key = layers_key;
    stack.layers = json.number(layers_key, 1, kMaxPytorchLayers);
    stack.bias = json.flag("bias");
    for (const char* key : {"dropout", "batch_first"}) json.ignore(key);  // how it is trained and called
    return stack;
}

void read_stacks(const JsonSection& json, PyTorchDescription& description) {
    const bool whole = json.has("transformer"), encoder = json.has("encoder"), decoder = json.has("decoder");
    if (whole && (encoder || decoder))
        fail(Status::bad_model, "{}: expected transformer, or encoder and decoder, file has both",
             json.label(encoder ? "encoder" : "decoder"));
    if (whole) {
        const JsonSection transformer = json.section("transformer");
        description.encoder = read_stack(transformer, "num_encoder_layers", "encoder.");
        description.decoder = read_stack(transformer, "num_decoder_layers", "decoder.");
        return transformer.finish();
    }
    if (encoder != decoder)
        fail(Status::unsupported, "{}: expected a decoder and an encoder, file has an {} alone", description.file,
             encoder ? "encoder" : "decoder");
    if (!encoder) json.missing("transformer", "an object with the arguments of nn.Transformer");
    for (const auto& [key, stack] : {std::pair{"encoder", &description.encoder}, {"decoder", &description.decoder}}) {
        const JsonSection section = json.section(key);
        *stack = read_stack(section, "num_layers", "");
        section.finish();
    }
}

Positions read_positions(const JsonSection& json, const char* key) {
    constexpr const char* expected =
        "\"none\", {\"table\": a tensor's name} or {\"sinusoid\": \"interleaved\" or "
        "\"halves\", \"length\": rows}";
    const nlohmann::json* value = json.find(key);
    if (!value) json.missing(key, expected);
    if (*value == "none") return {};
    if (!value->is_object()) json.wrong(key, expected, *value);
    const JsonSection section = json.section(key);
    Positions positions;
    if (auto table = section.text("table")) {
        positions = {.kind = Positions::Kind::table, .table = *std::move(table)};
    } else {
        const std::string order = required(section.text("sinusoid"), section, "sinusoid", expected);
        if (order != "interleaved" && order != "halves") section.wrong("sinusoid", "interleaved or halves", order);
        positions.kind = order == "halves" ? Positions::Kind::halves : Positions::Kind::interleaved;
        positions.length = required(section.number("length", 1, kMaxLength), section, "length", "a number of rows");
    }
    section.finish();
    return positions;
}

void read_all_positions(const JsonSection& json, PyTorchDescription& description) {
    const bool shared = json.has("positions");
    if (shared && (json.has("source_positions") || json.has("target_positions")))
        fail(Status::bad_model, "{}: expected positions, or source_positions and target_positions, file has both",
             json.label("positions"));
    description.source_positions = read_positions(json, shared ? "positions" : "source_positions");
    description.target_positions = read_positions(json, shared ? "positions" : "target_positions");
}

PyTorchDescription::Vocabulary read_vocabulary(const JsonSection& json, const char* key) {
    const nlohmann::json* value = json.find(key);
    if (!value) return {};
    if (value->is_string()) return {.file = value->get<std::string>(), .tokens = {}};
    if (!value->is_array() || value->empty()) json.wrong(key, "a file's name or a list of tokens", *value);
    return {.file = {}, .tokens = json.texts(key)};
}

void read_vocabularies(const JsonSection& json, PyTorchDescription& description) {
    const char *source = "source_vocabulary", *target = "target_vocabulary";
    description.shared_vocabulary = json.has("vocabulary");
    if (!description.shared_vocabulary && json.has(source) != json.has(target))
        json.missing(json.has(source) ? target : source, "a vocabulary for this side, too");
    if (description.shared_vocabulary && (json.has(source) || json.has(target)))
        fail(Status::bad_model, "{}: expected vocabulary, or source_vocabulary and target_vocabulary, file has both",
             json.label("vocabulary"));
    description.source = read_vocabulary(json, description.shared_vocabulary ? "vocabulary" : source);
    description.target = read_vocabulary(json, description.shared_vocabulary ? "vocabulary" : target);
    const std::string tokens = json.text("tokens").value_or("");
    if (!tokens.empty() && tokens != "characters") json.wrong("tokens", "characters", tokens);
    description.characters = !tokens.empty();
}

void read_special_tokens(const JsonSection& json, PyTorchDescription& description) {
    const auto id = [&](const char* key) { return json.number(key, 0, kMaxVocabulary); };
    description.start = required(id("start"), json, "start", "the id of the decoder's first token");
    description.end = required(id("end"), json, "end", "the id of the token that ends a target");
    description.unknown = required(id("unknown"), json, "unknown", "the id that stands for tokens that are not known");
    description.pad = id("pad");
    description.source_begin = id("source_begin");
    description.source_end = id("source_end");
    description.never = json.numbers("never", kMaxVocabulary);
}

std::optional<double> read_embedding_scale(const JsonSection& json) {
    const nlohmann::json* value = json.find("embedding_scale");
    if (value && *value == "sqrt(d_model)") return std::nullopt;
    if (value && !value->is_number()) json.wrong("embedding_scale", "a number or \"sqrt(d_model)\"", *value);
    return json.real("embedding_scale", 1e-6, 1e6).value_or(1.0);
}

std::string read_weights_name(const FileSet& files, const JsonSection& json) {
    const auto told = json.text("weights");
    if (!files.chosen().empty() && files.chosen() != kPyTorchDescription) return files.chosen();
    std::string found;
    for (const char* name : kFiles) {
        if (told || !files.has(name)) continue;
        if (!found.empty())
            fail(Status::bad_model, "{}: expected the file with the weights' name, there are {} and {}",
                 json.label("weights"), found, name);
        found = name;
    }
    if (!told && found.empty())
        fail(Status::bad_model, "{}: expected {} beside {}, there is none of them", text_of(files.path()),
             fmt::join(kFiles, " or "), kPyTorchDescription);
    return told.value_or(found);
}

}  // namespace

PyTorchDescription read_pytorch_description(const FileSet& files) {
    const FileBytes file = files.read(kPyTorchDescription);
    const nlohmann::json values = formats::parse_json_object(file.name, file.text());
    const JsonSection json(file.name, values);
    PyTorchDescription description;
    description.file = file.name;
    required(json.number("version", 1, 1), json, "version", "1");
    description.weights = read_weights_name(files, json);
    read_stacks(json, description);
    const auto name = [&](const char* key, const char* what) { return required(json.text(key), json, key, what); };
    description.source_embedding = name("source_embedding", "the name of a tensor or of an nn.Embedding");
    description.target_embedding = name("target_embedding", "the name of a tensor or of an nn.Embedding");
    description.output = name("output",
                              "the name of an nn.Linear, or of the embedding that it shares its weights with");
    description.embedding_scale = read_embedding_scale(json);
    read_all_positions(json, description);
    read_vocabularies(json, description);
    read_special_tokens(json, description);
    description.max_length = json.number("max_length", 1, kMaxDecoded);
    description.ignored = json.texts("ignore");
    json.finish();
    return description;
}

}  // namespace dragoman::families
