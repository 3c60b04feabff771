// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "pipeline/stages/stage.h"
#include "text/cut_long.h"

namespace dragoman::pipeline {

// Brings sentences down once more where their checks ask for it, and waits until one translation stays.
class Retries {
public:
    struct Sink {
        std::function<void(Document&, Sentence&)> ask;      // asks the model for an attempt that has gone down
        std::function<void(Document&, Sentence&)> settled;  // gets a sentence with the translation that stays
    };
    // `stages` must outlive it.
    Retries(const Stages& stages, text::CountTokens count, Sink sink);

    // Takes a document's sentence, or an attempt, that has come up.
    void take(Document& document, Sentence& sentence) const;

private:
    void start(Document& document, Sentence& sentence) const;
    void complete(Document& document, Sentence& sentence) const;
    void judge(Document& document, Sentence& sentence) const;

    const Stages& stages_;
    const text::CountTokens count_;
    const Sink sink_;
};

}  // namespace dragoman::pipeline
