// SPDX-License-Identifier: Apache-2.0
// How the time of readers grows with what they read: bench_growth [NAME [TIMES]]. Each input is made with n and with 4 n
// items; four times as much takes some four times as long, and where time grows by the square it takes sixteen times as
// long. TIMES: so many times n.
// Seconds of the processor; refusals count as they are.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "documents/document.h"
#include "formats/ctranslate2_container.h"
#include "formats/gguf_file.h"
#include "formats/gguf_key_writer.h"
#include "formats/json_object.h"
#include "formats/marian_file.h"
#include "formats/safetensors.h"
#include "formats/tokenizer_json.h"
#include "formats/torch_pickle.h"
#include "formats/yaml_map.h"
#include "files/zip_archive.h"
#include "text/glossary.h"
#include "tm/translation_memory.h"
#include "../tests/documents/packed.h"

namespace {

using namespace dragoman;
using documents::Format;

using Make = std::function<std::string(std::size_t items)>;

struct Case {
    std::string name;
    std::size_t items;
    Make make;
    std::function<void(const std::string& bytes)> read;
};

FileBytes file_of(const std::string& bytes, std::string name) {
    return {.name = std::move(name), .bytes = std::as_bytes(std::span(bytes)), .owner = {}};
}

template <class T>
void put(std::string& to, T value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string repeated(std::size_t items, const std::function<std::string(std::size_t)>& one) {
    std::string all;
    for (std::size_t i = 0; i < items; ++i) all += one(i);
    return all;
}

Make between(std::string begin, std::function<std::string(std::size_t)> one, std::string end) {
    return [=](std::size_t items) { return begin + repeated(items, one) + end; };
}

Make nested(std::string begin, std::string opening, std::string middle, std::string closing, std::string end) {
    return [=](std::size_t items) {
        return begin + repeated(items, [&](std::size_t) { return opening; }) + middle +
               repeated(items, [&](std::size_t) { return closing; }) + end;
    };
}

std::string safetensors(std::size_t items) {
    std::string header = "{";
    for (std::size_t i = 0; i < items; ++i)
        header += fmt::format("{}\"t{}\":{{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[{},{}]}}", i ? "," : "", i,
                              i, i + 1);
    header += "}";
    std::string bytes;
    put(bytes, uint64_t(header.size()));
    return bytes + header + std::string(items, '\0');
}

void put_text(std::string& to, std::string_view text) {
    put(to, uint64_t(text.size()));
    to += text;
}

std::string gguf(std::size_t keys, std::size_t tensors) {
    std::string bytes = "GGUF";
    put(bytes, uint32_t{3});
    put(bytes, uint64_t(tensors));
    put(bytes, uint64_t(keys + 1));
    const auto text = [&](std::string_view key, std::string_view value) {
        put_text(bytes, key);
        put(bytes, uint32_t{8});
        put_text(bytes, value);
    };
    text("general.architecture", "t5");
    for (std::size_t i = 0; i < keys; ++i) text(fmt::format("key.{}", i), "value");
    for (std::size_t i = 0; i < tensors; ++i) {
        put_text(bytes, fmt::format("tensor.{}", i));
        put(bytes, uint32_t{1});
        put(bytes, uint64_t{1});
        put(bytes, uint32_t{0});
        put(bytes, uint64_t{0});
    }
    return bytes + std::string(100, '\0');
}

std::string ctranslate2(std::size_t items) {
    std::string bytes;
    const auto text = [&](const std::string& value) {
        put(bytes, uint16_t(value.size() + 1));
        bytes += value + '\0';
    };
    put(bytes, uint32_t{6});
    text("spec");
    put(bytes, uint32_t{1});
    put(bytes, uint32_t(items));
    for (std::size_t i = 0; i < items; ++i) {
        text(fmt::format("variable_{}", i));
        put(bytes, uint8_t{0});
        put(bytes, uint8_t{1});
        put(bytes, uint32_t{1});
        bytes += '\1';
    }
    put(bytes, uint32_t(items));
    for (std::size_t i = 0; i < items; ++i) {
        text(fmt::format("alias_{}", i));
        text(fmt::format("variable_{}", i));
    }
    return bytes;
}

std::string npz(std::size_t items) {
    documents::test::Members members;
    std::string array = "\x93NUMPY";
    array += '\1';
    array += '\0';
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
    header.resize(117, ' ');
    header += '\n';
    put(array, uint16_t(header.size()));
    array += header + std::string(4, '\0');
    for (std::size_t i = 0; i < items; ++i) members.emplace_back(fmt::format("w{}.npy", i), array);
    array.replace(array.find("<f4"), 3, "|u1");
    array.replace(array.find("(1,)"), 4, "(4,)");
    members.emplace_back("special:model.yml.npy", array);
    return documents::test::packed(members);
}

// Names in a dictionary, or the same tensor under each of them.
std::string pickle(std::size_t items) {
    std::string bytes = "\x80\2}(";
    for (std::size_t i = 0; i < items; ++i) {
        const std::string name = fmt::format("name{}", i);
        bytes += 'X';
        put(bytes, uint32_t(name.size()));
        bytes += name + "K\1";
    }
    return bytes + "u.";
}

std::string unigram(std::size_t items) {
    std::string pieces = "[\"<unk>\",0]";
    for (std::size_t i = 0; i < items; ++i) pieces += fmt::format(",[\"p{}\",-{}.5]", i, i);
    std::string added;
    for (std::size_t i = 0; i < items / 16; ++i)
        added += fmt::format("{}{{\"id\":{},\"content\":\"<a{}>\",\"special\":true}}", i ? "," : "", items + 1 + i, i);
    return "{\"added_tokens\":[" + added +
           "],\"normalizer\":null,\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"\u2581\",\"prepend_scheme\":"
           "\"always\",\"split\":true},\"decoder\":{\"type\":\"Metaspace\"},\"model\":{\"type\":\"Unigram\",\"unk_id\":0,"
           "\"vocab\":[" +
           pieces + "],\"byte_fallback\":false}}";
}

std::string docx(const std::string& body) {
    return documents::test::packed(
        {{"[Content_Types].xml",
          "<?xml version=\"1.0\"?><Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd."
          "openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>"},
         {"word/document.xml", "<w:document><w:body>" + body + "</w:body></w:document>"}});
}

void read_document(const std::string& bytes, Format format) {
    const documents::Document document(bytes, format, {"en", "de"});
    std::vector<documents::Translation> translations;
    for (const std::string_view text : document.texts())
        translations.push_back({"x " + std::string(text)});  // written anew
    document.write(translations);
}

Case document(std::string name, Format format, std::size_t items, Make make) {
    return {std::move(name), items, std::move(make),
            [format](const std::string& bytes) { read_document(bytes, format); }};
}

// Numbers, which pack badly, so that packages are read.
std::string word(std::size_t i) { return fmt::format("w{:x} ", i * 2654435761u % 4294967291u); }

std::vector<Case> cases() {
    std::vector<Case> all{
        {"safetensors: tensors", 20'000, safetensors,
         [](const std::string& bytes) { formats::Safetensors(file_of(bytes, "x.safetensors")); }},
        {"JSON: nested lists", 50'000,
         between(
             "{\"a\":[", [](std::size_t i) { return std::string(i ? "," : "") + "[]"; }, "]}"),
         [](const std::string& bytes) { formats::parse_json_object("vocab.json", bytes); }},
        {"JSON: keys", 50'000,
         between(
             "{\"a\":1", [](std::size_t i) { return fmt::format(",\"k{}\":{{\"b\":1}}", i); }, "}"),
         [](const std::string& bytes) { formats::parse_json_object("vocab.json", bytes); }},
        {"YAML: entries", 30'000,
         between(
             "", [](std::size_t i) { return fmt::format("token{}: {}\n", i, i); }, ""),
         [](const std::string& bytes) { formats::YamlMap("vocab.yml", bytes); }},
        {"YAML: one list", 30'000,
         between(
             "a: [", [](std::size_t i) { return fmt::format("{}, ", i); }, "1]"),
         [](const std::string& bytes) { formats::YamlMap("vocab.yml", bytes); }},
        {"GGUF: keys", 50'000, [](std::size_t n) { return gguf(n, 0); },
         [](const std::string& bytes) { formats::GgufFile(file_of(bytes, "x.gguf")); }},
        {"GGUF: tensors", 50'000, [](std::size_t n) { return gguf(0, n); },
         [](const std::string& bytes) { formats::GgufFile(file_of(bytes, "x.gguf")); }},
        {"CTranslate2: variables, aliases", 50'000, ctranslate2,
         [](const std::string& bytes) { formats::read_ct2_container(file_of(bytes, "model.bin")); }},
        {"npz: arrays", 2'000, npz,
         [](const std::string& bytes) { formats::read_marian_npz(file_of(bytes, "m.npz")); }},
        {"zip: members", 4'000, npz, [](const std::string& bytes) { ZipArchive(file_of(bytes, "m.zip")).names(); }},
        {"pickle: names", 50'000, pickle,
         [](const std::string& bytes) { formats::read_torch_pickle("data.pkl", std::as_bytes(std::span(bytes))); }},
        {"tokenizer.json: pieces, added", 20'000, unigram,
         [](const std::string& bytes) { formats::read_tokenizer_json(file_of(bytes, "tokenizer.json")); }},
        {"glossary: rows", 20'000,
         between(
             "", [](std::size_t i) { return fmt::format("term {}\tBegriff {}\n", i, i); }, ""),
         [](const std::string& bytes) {
             const text::Glossary glossary(text::read_glossary(bytes));
             glossary.find("a term 17 here");
         }},
        {"glossary: equal beginnings", 5'000,
         between(
             "", [](std::size_t i) { return "a" + std::string(i % 900, 'a') + fmt::format("\tx{}\n", i); }, ""),
         [](const std::string& bytes) { text::Glossary(text::read_glossary(bytes)).find(std::string(5000, 'a')); }},
        {"TMX: units", 5'000,
         between(
             "<tmx version=\"1.4\"><header srclang=\"en\"/><body>",
             [](std::size_t i) {
                 return fmt::format(
                     "<tu><tuv xml:lang=\"en\"><seg>House {}</seg></tuv><tuv xml:lang=\"de\"><seg>"
                     "Haus {}</seg></tuv></tu>",
                     i, i);
             },
             "</body></tmx>"),
         [](const std::string& bytes) { tm::Memory({}).read_tmx(bytes); }},
        document("XLIFF: units", Format::xliff, 5'000,
                 between(
                     "<xliff version=\"1.2\"><file target-language=\"de\"><body>",
                     [](std::size_t i) { return "<trans-unit><source>A " + word(i) + "</source></trans-unit>"; },
                     "</body></file></xliff>")),
        document("XLIFF: codes of one unit", Format::xliff, 3'000,
                 between(
                     "<xliff version=\"1.2\"><file target-language=\"de\"><trans-unit><source>",
                     [](std::size_t i) { return "<g id=\"1\">" + word(i) + "</g><x id=\"2\"/>"; },
                     "</source></trans-unit></file></xliff>")),
        document("TMX document: units", Format::tmx, 5'000,
                 between(
                     "<tmx version=\"1.4\"><header srclang=\"en\"/><body>",
                     [](std::size_t i) { return "<tu><tuv xml:lang=\"en\"><seg>" + word(i) + "</seg></tuv></tu>"; },
                     "</body></tmx>")),
        document("docx: paragraphs", Format::docx, 5'000,
                 [](std::size_t n) {
                     return docx(repeated(n, [](std::size_t i) {
                         return "<w:p><w:r><w:t>" + word(i) + "</w:t></w:r></w:p>";
                     }));
                 }),
        document("docx: runs of one paragraph", Format::docx, 3'000,
                 [](std::size_t n) {
                     return docx("<w:p>" +
                                 repeated(n,
                                          [](std::size_t i) {
                                              return "<w:r><w:rPr><w:b/></w:rPr><w:t>" + word(i) + "</w:t></w:r>";
                                          }) +
                                 "</w:p>");
                 }),
        document("docx: fields of one paragraph", Format::docx, 3'000,
                 [](std::size_t n) {
                     return docx("<w:p>" +
                                 repeated(n,
                                          [](std::size_t i) {
                                              const auto mark = [](const char* kind) {
                                                  return fmt::format("<w:r><w:fldChar w:fldCharType=\"{}\"/></w:r>",
                                                                     kind);
                                              };
                                              return mark("begin") + mark("separate") + "<w:r><w:t>" + word(i) +
                                                     "</w:t></w:r>" + mark("end");
                                          }) +
                                 "</w:p>");
                 }),
        document("docx: fields, never closed", Format::docx, 3'000,
                 [](std::size_t n) {
                     return docx("<w:p>" +
                                 repeated(n,
                                          [](std::size_t i) {
                                              return "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:t>" +
                                                     word(i) + "</w:t></w:r>";
                                          }) +
                                 "</w:p>");
                 }),
        document("HTML: paragraphs", Format::html, 10'000,
                 between(
                     "<html><body>", [](std::size_t i) { return "<p>" + word(i) + "</p>"; }, "</body></html>")),
        document("HTML: depth", Format::html, 5'000, nested("<body>", "<div>", "text", "</div>", "</body>")),
        document("HTML: depth, never closed", Format::html, 5'000, nested("<body>", "<b><p>x", "text", "", "")),
        document("HTML: attributes of one tag", Format::html, 10'000,
                 between(
                     "<p ", [](std::size_t i) { return fmt::format("a{}=\"{}\" ", i, i); }, ">text</p>")),
        document("HTML: tags of one sentence", Format::html, 3'000,
                 between(
                     "<p>", [](std::size_t i) { return "<i>" + word(i) + "</i>"; }, "</p>")),
        document("HTML: ends without beginning", Format::html, 10'000,
                 between(
                     "<p>x", [](std::size_t) { return std::string("</i></b>"); }, "</p>")),
        document("XHTML: elements", Format::xhtml, 10'000,
                 between(
                     "<html><body>", [](std::size_t i) { return "<p>" + word(i) + "</p>"; }, "</body></html>")),
        document("XML: attributes of one tag", Format::xliff, 3'000,
                 between(
                     "<xliff version=\"1.2\" ", [](std::size_t i) { return fmt::format("a{}=\"{}\" ", i, i); }, "/>")),
        document("Markdown: paragraphs", Format::markdown, 10'000,
                 between(
                     "", [](std::size_t i) { return word(i) + "\n\n"; }, "")),
        document("Markdown: marks of one paragraph", Format::markdown, 3'000,
                 between(
                     "", [](std::size_t i) { return "*" + word(i) + "x* [" + word(i) + "](u) "; }, "\n")),
        document("Markdown: open brackets", Format::markdown, 5'000,
                 between(
                     "", [](std::size_t) { return std::string("["); }, "\n")),
        document("text: paragraphs", Format::text, 20'000,
                 between(
                     "", [](std::size_t i) { return word(i) + "\n\n"; }, "")),
        document("srt: cues", Format::srt, 5'000,
                 between(
                     "",
                     [](std::size_t i) {
                         return fmt::format("{}\n00:00:01,000 --> 00:00:02,000\n{}\n\n", i + 1, word(i));
                     },
                     "")),
        document("srt: words of one cue", Format::srt, 5'000,
                 between("1\n00:00:01,000 --> 00:00:02,000\n", word, "\n")),
        document("vtt: ends without beginning", Format::vtt, 3'000,
                 between(
                     "WEBVTT\n\n00:01.000 --> 00:02.000\n",
                     [](std::size_t i) { return fmt::format("<a{}>x</b{}> ", i, i); }, "\n")),
        document("vtt: tags of one cue", Format::vtt, 3'000,
                 between(
                     "WEBVTT\n\n00:01.000 --> 00:02.000\n", [](std::size_t i) { return "<i>" + word(i) + "</i> "; },
                     "\n")),
        document("ass: overrides of one dialogue", Format::ass, 3'000,
                 between(
                     "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,",
                     [](std::size_t i) { return "{\\i1}" + word(i) + "{\\i0} "; }, "\n")),
        document("po: entries", Format::po, 5'000,
                 between(
                     "msgid \"\"\nmsgstr \"\"\n\n",
                     [](std::size_t i) { return "msgid \"" + word(i) + "\"\nmsgstr \"\"\n\n"; }, "")),
        document("po: lines of one entry", Format::po, 5'000,
                 between(
                     "msgid \"\"\nmsgstr \"\"\n\nmsgid \"\"\n", [](std::size_t i) { return "\"" + word(i) + "\"\n"; },
                     "msgstr \"\"\n")),
        document("Android: strings", Format::android, 5'000,
                 between(
                     "<resources>",
                     [](std::size_t i) { return fmt::format("<string name=\"s{}\">{}</string>", i, word(i)); },
                     "</resources>")),
        document("JSON strings", Format::json, 5'000,
                 between(
                     "{\"a\":\"b\"", [](std::size_t i) { return fmt::format(",\"k{}\":\"{}\"", i, word(i)); }, "}")),
    };
    return all;
}

double seconds(const Case& one, std::size_t items, std::string& refused) {
    const std::string bytes = one.make(items);
    const std::clock_t begin = std::clock();
    int rounds = 0;
    do {
        try {
            one.read(bytes);
        } catch (const Error& error) {
            refused = error.what();
        }
        ++rounds;
    } while (std::clock() - begin < CLOCKS_PER_SEC / 10);
    return double(std::clock() - begin) / CLOCKS_PER_SEC / rounds;
}

}  // namespace

int main(int count, char** arguments) {
    fmt::print("| input | n | seconds | with 4 n | times | |\n|---|---|---|---|---|---|\n");
    for (const Case& one : cases()) {
        if (count > 1 && one.name.find(arguments[1]) == std::string::npos) continue;
        std::string refused;
        const std::size_t items = one.items * (count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 1);
        const double first = seconds(one, items, refused), second = seconds(one, 4 * items, refused);
        fmt::print("| {} | {} | {:.4f} | {:.4f} | {:.1f} | {} |\n", one.name, items, first, second, second / first,
                   refused.substr(0, 60));
        std::fflush(stdout);
    }
}
