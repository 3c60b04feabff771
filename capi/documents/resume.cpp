// SPDX-License-Identifier: Apache-2.0
#include "resume.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman::capi {
namespace {

using documents::Translation;
using nlohmann::json;
using text::Range;

json numbers(const std::vector<Range>& ranges) {
    json list = json::array();
    for (const Range& range : ranges) list.insert(list.end(), {range.begin, range.end});
    return list;
}

std::vector<Range> ranges(const json& list, std::size_t limit) {
    std::vector<Range> ranges;
    for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
        const Range range{list[i].get<std::size_t>(), list[i + 1].get<std::size_t>()};
        if (range.begin > range.end || range.end > limit) throw std::out_of_range("range");
        ranges.push_back(range);
    }
    return ranges;
}

// Throws for what is not one of ours, such as the last line of a program that was killed.
Translation read(const json& line, std::size_t source_size) {
    Translation translation{line.at("target").get<std::string>()};
    for (const json& one : line.at("sentences")) {
        const std::vector<Range> source = ranges(one.at("source"), source_size);
        const std::vector<Range> target = ranges(one.at("target"), translation.text.size());
        markup::AlignedSentence& sentence = translation.sentences.emplace_back();
        sentence.source = source.at(0);
        sentence.target = target.at(0);
        sentence.words.source = ranges(one.at("source_words"), sentence.source.size());
        sentence.words.target = ranges(one.at("target_words"), sentence.target.size());
        sentence.words.weights = one.at("weights").get<std::vector<float>>();
        const std::size_t count = sentence.words.source.size() * sentence.words.target.size();
        const std::size_t weights = sentence.words.weights.size();
        if (weights != 0 && weights != count) throw std::out_of_range("weights");
    }
    return translation;
}

}  // namespace

Resumed::Resumed(const char* path, std::string key) : key_(std::move(key)) {
    if (!path) return;
    std::ifstream old(path_of(path), std::ios::binary);
    bool whole = true;
    for (std::string line; std::getline(old, line);) {
        whole = !old.eof();
        try {
            const json parsed = json::parse(line);
            const std::string source = parsed.at("text").get<std::string>();
            if (parsed.at("key") == key_) known_[source] = read(parsed, source.size());
        } catch (const std::exception&) {}
    }
    old.close();
    file_.open(path_of(path), std::ios::binary | std::ios::app);
    if (!file_) fail(Status::io_error, "cannot write {}", path);
    if (!whole) file_ << '\n';
}

const Translation* Resumed::find(std::string_view text) const {
    const auto known = known_.find(text);
    return known == known_.end() ? nullptr : &known->second;
}

void Resumed::add(std::string_view text, const Translation& translation) {
    if (!file_.is_open()) return;
    json sentences = json::array();
    for (const markup::AlignedSentence& one : translation.sentences)
        sentences.push_back({{"source", numbers({one.source})},
                             {"target", numbers({one.target})},
                             {"source_words", numbers(one.words.source)},
                             {"target_words", numbers(one.words.target)},
                             {"weights", one.words.weights}});
    const json line{{"key", key_}, {"text", text}, {"target", translation.text}, {"sentences", std::move(sentences)}};
    file_ << line.dump() << '\n' << std::flush;
    if (!file_) fail(Status::io_error, "cannot keep translations: the file took {} of them", known_.size());
}

}  // namespace dragoman::capi
