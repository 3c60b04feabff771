// SPDX-License-Identifier: Apache-2.0
// Room "stages": the steps between a text and the model's token ids, one file each, in both directions. A stage sees one
// document at a time and keeps nothing between documents; nothing here knows of searches, runs or jobs.
#pragma once

#include <memory>
#include <vector>

#include "pipeline/value/sentence.h"

namespace dragoman::pipeline {

class Model;
struct Plan;

// A step from texts to the model's ids, and back: what a stage takes away on the way down, it can put back on the way
// up. Safe from any thread: it keeps nothing but whether it has warned (FirstTime). Throws invalid_argument.
class Stage {
public:
    virtual ~Stage() = default;
    virtual void open(Document&) const {}  // finds the sentences
    virtual void down(Document&, Sentences&) const {}  // the next ones; may cut one into several
    virtual void up(const Document&, Sentence&) const {}  // once the engine has answered
    virtual void settle(Document&, Sentence&) const {}  // once its translation stays, one after the other
    virtual void close(Document&) const {}  // once all have settled
};
using Stages = std::vector<std::unique_ptr<const Stage>>;

// The stages in the order of the way down. `plan` must outlive them.
Stages text_stages(const Plan& plan);
Stages token_stages(const Plan& plan);  // for documents of tokens

void open(const Stages& stages, Document& document);
// Brings down the next sentence; from the returned place on, the document has it, or the parts that it was cut into.
Sentences::iterator down(const Stages& stages, Document& document);
// Brings down parts of a sentence of the document.
void down(const Stages& stages, Document& document, Sentences& parts);
void up(const Stages& stages, const Document& document, Sentence& sentence);
// Puts the first sentence of the document into its result.
void settle(const Stages& stages, Document& document);
void close(const Stages& stages, Document& document);

// Whether the model knows a word of a sentence in pieces; it does not if there are unknown tokens alone.
bool reads_word(const Model& model, const Sentence& sentence);

}  // namespace dragoman::pipeline
