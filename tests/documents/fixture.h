// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "documents/document.h"
#include "documents/packed.h"
#include "text/words.h"

namespace dragoman::documents::test {

inline Members members(const std::string& bytes) {
    const Package package(bytes);
    Members members;
    for (const std::string& name : package.names()) members.emplace_back(name, package.read(name));
    return members;
}

// The words of a text, where the name of a literal ("{_1}", "`_1`") is one word.
inline std::vector<text::Range> words_and_names(std::string_view text) {
    std::vector<text::Range> words;
    for (const text::Range& word : text::words(text)) {
        const bool in_name = !words.empty() && (text[words.back().begin] == '{' || text[words.back().begin] == '`') &&
                             text[words.back().begin + 1] == '_' && text[words.back().end - 1] != '}' &&
                             (words.back().size() == 1 || text[words.back().end - 1] != '`');
        if (in_name) words.back().end = word.end;
        else words.push_back(word);
    }
    return words;
}

// Words in capitals, backwards or not; which words belong together is known.
inline Translation capitals(std::string_view text, bool backwards) {
    const std::vector<text::Range> words = words_and_names(text);
    std::vector<std::size_t> order;
    std::size_t last = words.size();  // of the words: a mark at the end stays there
    if (last > 0 && std::string_view(".!?").find(text[words.back().begin]) != std::string_view::npos) --last;
    for (std::size_t i = 0; i < words.size(); ++i) order.push_back(backwards && i < last ? last - 1 - i : i);
    Translation translation;
    markup::AlignedSentence one{.source = {0, text.size()}};
    one.words.source = words;
    one.words.weights.assign(words.size() * words.size(), 0.0f);
    std::size_t at = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        translation.text += text.substr(at, words[i].begin - at);
        at = words[i].end;
        const std::size_t begin = translation.text.size();
        for (const char c : text::part(text, words[order[i]]))
            translation.text += c >= 'a' && c <= 'z' ? char(c - 32) : c;
        one.words.target.push_back({begin, translation.text.size()});
        one.words.weights[i * words.size() + order[i]] = 1.0f;
    }
    translation.text += text.substr(at);
    one.target = {0, translation.text.size()};
    translation.sentences.push_back(std::move(one));
    return translation;
}

enum class How { same, capitals, backwards };

inline std::string translated(const std::string& bytes, Format format, How how,
                              const Languages& languages = {"en", "de"}) {
    const Document document(bytes, format, languages);
    std::vector<Translation> translations;
    for (const std::string_view text : document.texts())
        translations.push_back(how == How::same ? Translation{std::string(text)}
                                                : capitals(text, how == How::backwards));
    return document.write(translations);
}

inline std::vector<std::string> texts(const std::string& bytes, Format format,
                                      const Languages& languages = {"en", "de"}) {
    const Document document(bytes, format, languages);
    return {document.texts().begin(), document.texts().end()};
}

inline std::string refusal(const std::string& bytes, Format format) {
    try {
        const Document document(bytes, format, {"en", "de"});
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace dragoman::documents::test
