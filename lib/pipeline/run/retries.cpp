// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/retries.h"

#include <utility>
#include <vector>

#include "pipeline/run/parts.h"

namespace dragoman::pipeline {

Retries::Retries(const Stages& stages, text::CountTokens count, Sink sink)
    : stages_(stages), count_(std::move(count)), sink_(std::move(sink)) {}

void Retries::take(Document& document, Sentence& sentence) const {
    if (sentence.retry.asked()) start(document, sentence);
    else complete(document, sentence);
}

void Retries::start(Document& document, Sentence& sentence) const {
    Sentences parts = attempts_of(document, sentence, count_);
    down(stages_, document, parts);
    sentence.retry.start(std::move(parts));
    if (sentence.retry.all_finished()) return judge(document, sentence);
    // The last answer may be there at once, and then the retry is over, and its parts may be elsewhere.
    std::vector<Sentence*> unfinished;
    for (Sentence& part : sentence.retry.parts())
        if (!part.finished) unfinished.push_back(&part);
    for (Sentence* const part : unfinished) sink_.ask(document, *part);
}

// A sentence that has its translation. The last part of one ends its retry.
void Retries::complete(Document& document, Sentence& sentence) const {
    Sentence* const whole = sentence.attempt.whole;
    if (!whole) return sink_.settled(document, sentence);
    whole->retry.finish_part();
    if (whole->retry.all_finished()) judge(document, *whole);
}

void Retries::judge(Document& document, Sentence& sentence) const {
    switch (sentence.retry.judge(sentence)) {
        case Retry::Decision::keep: break;
        case Retry::Decision::replace: replace_by_part(sentence); break;
        case Retry::Decision::join: join_parts(document, sentence); break;
    }
    complete(document, sentence);
}

}  // namespace dragoman::pipeline
