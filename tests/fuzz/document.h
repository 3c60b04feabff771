// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "documents/document.h"
#include "documents/packed.h"
#include "fuzz/fuzz.h"
#include "text/words.h"

namespace dragoman::test {

using documents::Document;
using documents::Format;
using documents::Translation;

// Bad documents may be refused, and for no other reason than that they are bad.
inline int refusing_documents(const std::function<void()>& read) {
    try {
        read();
    } catch (const Error& error) {
        if (error.status() == Status::invalid_argument || error.status() == Status::unsupported) return 0;
        std::fprintf(stderr, "status %d: %s\n", int(error.status()), error.what());
        std::abort();
    }
    return 0;
}

// The words of a text from the last to the first one, and more of them.
inline Translation turned(std::string_view text) {
    const std::vector<text::Range> words = text::words(text);
    Translation translation;
    markup::AlignedSentence one{.source = {0, text.size()}};
    one.words.source = words;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) translation.text += ' ';
        const std::size_t begin = translation.text.size();
        translation.text += text::part(text, words[words.size() - 1 - i]);
        one.words.target.push_back({begin, translation.text.size()});
        for (std::size_t v = 0; v < words.size(); ++v)
            one.words.weights.push_back(v + i + 1 == words.size() ? 1.0f : 0.0f);
    }
    translation.text += " <&]]>\"'\\{x}\n-->";
    one.target = {0, translation.text.size()};
    translation.sentences.push_back(std::move(one));
    return translation;
}

// Reads a document and writes it: what is not translated is the same to the byte, and what is translated can be read
// again. `texts`: and has as many texts.
inline int fuzz_document(std::string bytes, Format format, bool texts) {
    const documents::Languages languages{"en", "de"};
    return refusing_documents([&] {
        const Document document(bytes, format, languages);
        std::vector<Translation> same, other;
        for (const std::string_view text : document.texts()) {
            same.push_back({std::string(text)});
            other.push_back(turned(text.substr(0, text.size() > 2000 ? 0 : text.size())));
        }
        DRAGOMAN_ASSERT(document.write(std::vector<Translation>(same.size())) == bytes);
        document.write(same);
        const std::string written = document.write(other);
        try {
            const Document again(written, format, languages);
            DRAGOMAN_ASSERT(!texts || again.texts().size() == document.texts().size());
        } catch (const Error& error) {
            std::fprintf(stderr, "written, but not read: %s\n%s\n", error.what(), written.c_str());
            std::abort();
        }
    });
}

}  // namespace dragoman::test
