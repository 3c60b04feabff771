// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "commands.h"
#include "device_text.h"

namespace cli {
namespace {

constexpr const char* kKinds[] = {"discrete", "integrated", "virtual", "cpu", "other"};

std::string uuid(const dragoman_device_info& device) {
    std::string text;
    for (const uint8_t byte : device.uuid) text += fmt::format("{:02x}", byte);
    return text;
}

double mebibytes(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

Json languages_json(const std::vector<dragoman::Language>& languages) {
    Json array = Json::array();
    for (const dragoman::Language& language : languages) {
        Json json;
        json["tag"] = language.tag;
        json["code"] = language.code;
        json["name"] = language.name;
        array.push_back(std::move(json));
    }
    return array;
}

void print(const char* label, const std::vector<dragoman::Language>& languages) {
    for (const dragoman::Language& language : languages) {
        fmt::print("{:<13} {}, {}{}\n", label, language.tag, language.name,
                   language.code == language.tag || language.code == language.name ? "" : " (" + language.code + ")");
        label = "";
    }
}

// 0: no limit.
std::string number(uint32_t most) { return most ? std::to_string(most) : "any number of"; }

void print_sizes(const dragoman_model_info& info) {
    if (info.encoder_layers == 0) {
        fmt::print("kind          decoder-only: continues and scores texts\n");
        fmt::print("layers        {} decoder\n", info.decoder_layers);
        fmt::print("width         {}, {} heads, feed-forward {}\n", info.d_model, info.heads, info.decoder_ffn);
        fmt::print("vocabulary    {}\n", info.target_vocabulary);
        fmt::print("longest       {} tokens\n", number(info.max_target_tokens));
        return;
    }
    if (info.decoder_layers == 0) {
        fmt::print("kind          encoder-only: gives vectors of texts\n");
        fmt::print("layers        {} encoder\n", info.encoder_layers);
        fmt::print("width         {}, {} heads, feed-forward {}\n", info.d_model, info.heads, info.encoder_ffn);
        fmt::print("vocabulary    {}\n", info.source_vocabulary);
        fmt::print("longest       {} tokens\n", number(info.max_source_tokens));
        return;
    }
    fmt::print("layers        {} encoder, {} decoder\n", info.encoder_layers, info.decoder_layers);
    if (info.encoder_ffn > 0)
        fmt::print("width         {}, {} heads, feed-forward {} and {}\n", info.d_model, info.heads, info.encoder_ffn,
                   info.decoder_ffn);
    else  // recurrent
        fmt::print("width         {}\n", info.d_model);
    fmt::print("vocabulary    {} source, {} target\n", info.source_vocabulary, info.target_vocabulary);
    fmt::print("longest       {} source tokens, {} target tokens\n", number(info.max_source_tokens),
               number(info.max_target_tokens));
}

}  // namespace

const char* kind_of(const dragoman_device_info& device) {
    return device.kind >= 0 && device.kind <= DRAGOMAN_DEVICE_OTHER ? kKinds[device.kind] : "other";
}

std::string vulkan_version(uint32_t version) {
    return fmt::format("{}.{}.{}", version >> 22 & 0x7f, version >> 12 & 0x3ff, version & 0xfff);
}

Json to_json(const dragoman_device_info& device) {
    Json json;
    json["index"] = device.index;
    json["name"] = device.name;
    json["kind"] = kind_of(device);
    json["driver"] = device.driver;
    json["uuid"] = uuid(device);
    json["vendor_id"] = device.vendor_id;
    json["device_id"] = device.device_id;
    json["vulkan"] = vulkan_version(device.api_version);
    json["memory_bytes"] = device.memory_bytes;
    json["max_buffer_bytes"] = device.max_buffer_bytes;
    json["unified_memory"] = device.unified_memory != 0;
    json["f16"] = device.f16 != 0;
    json["cooperative_matrix"] = device.cooperative_matrix != 0;
    json["integer_dot_product"] = device.integer_dot_product != 0;
    json["subgroup_size"] = device.subgroup_size;
    return json;
}

void devices(bool json) {
    const std::vector<dragoman_device_info> list = dragoman::devices();
    if (json) {
        Json array = Json::array();
        for (const dragoman_device_info& device : list) array.push_back(to_json(device));
        fmt::print("{}\n", array.dump(2));
        return;
    }
    if (list.empty()) fmt::print(stderr, "No Vulkan device: there is a loader, but no driver.\n");
    for (const dragoman_device_info& device : list) {
        fmt::print("{}  {}\n", device.index, device.name);
        fmt::print("   {}, Vulkan {}, {}\n", kind_of(device), vulkan_version(device.api_version), device.driver);
        fmt::print("   uuid {}\n", uuid(device));
        fmt::print("   {:.0f} MiB{}, buffers to {:.0f} MiB, subgroups of {}\n", mebibytes(device.memory_bytes),
                   device.unified_memory ? " shared with the host" : "", mebibytes(device.max_buffer_bytes),
                   device.subgroup_size);
        fmt::print("   16-bit floats {}, cooperative matrices {}, integer dot product {}\n", device.f16 ? "yes" : "no",
                   device.cooperative_matrix ? "yes" : "no", device.integer_dot_product ? "yes" : "no");
    }
}

void info(const std::string& model, bool json) {
    const char* path = model.empty() ? nullptr : model.c_str();
    const auto [info, from, to] = dragoman::describe(path);
    if (json) {
        Json object;
        object["path"] = info.path;
        object["format"] = info.format;
        object["family"] = info.family;
        object["has_tokenizer"] = info.has_tokenizer != 0;
        object["d_model"] = info.d_model;
        object["heads"] = info.heads;
        object["encoder_layers"] = info.encoder_layers;
        object["decoder_layers"] = info.decoder_layers;
        object["encoder_ffn"] = info.encoder_ffn;
        object["decoder_ffn"] = info.decoder_ffn;
        object["source_vocabulary"] = info.source_vocabulary;
        object["target_vocabulary"] = info.target_vocabulary;
        object["parameters"] = info.parameters;
        object["file_bytes"] = info.file_bytes;
        object["stored_types"] = info.stored_types;
        object["source_languages"] = languages_json(from);
        object["target_languages"] = languages_json(to);
        object["version"] = info.version;
        object["license"] = info.license;
        object["prompt"] = info.prompt;
        object["networks"] = info.networks;
        object["max_source_tokens"] = info.max_source_tokens;
        object["max_target_tokens"] = info.max_target_tokens;
        object["lacks"] = info.lacks;
        fmt::print("{}\n", object.dump(2));
        return;
    }
    fmt::print("{}\n", info.path);
    fmt::print("format        {}, {}\n", info.format, info.family);
    fmt::print("input         {}\n", info.has_tokenizer ? "text or tokens" : "tokens");
    if (info.networks > 1) fmt::print("networks      {}\n", info.networks);
    print_sizes(info);
    fmt::print("parameters    {}\n", info.parameters);
    fmt::print("weights       {}, {:.1f} MiB of files\n", info.stored_types, mebibytes(info.file_bytes));
    print("from", from);
    print("to", to);
    fmt::print("prompt        {}\n", info.prompt);
    if (info.lacks[0]) fmt::print("lacks         {}\n", info.lacks);
    if (info.version[0]) fmt::print("version       {}\n", info.version);
    if (info.license[0]) fmt::print("licence       {}\n", info.license);
}

}  // namespace cli
