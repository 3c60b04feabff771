// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "translate/segments.h"
#include "translate/text_translator.h"

namespace dragoman::translate {

// Texts as requests to the model, and the requests' results as texts. Everything it is made from must outlive it.
class TextPlan {
public:
    // Throws unsupported (no tokenizer), invalid_argument as translate_texts() does.
    TextPlan(const Model& model, std::span<const Text> texts, const TextOptions& text_options,
             const TranslateOptions& options);

    std::size_t units() const { return parts_.size(); }          // different sentences
    std::size_t prepared_units() const { return prepared_; }
    // Replaces requests() by those of further units, of about `tokens` source tokens; false: there are no more.
    bool prepare(std::size_t tokens);
    std::span<const Request> requests() const { return requests_; }
    struct Finished {  // views live until assemble()
        std::string_view text;
        std::span<const std::string> tokens;
        float score;
    };
    // Takes the result of one of requests(), each once; gives its best hypothesis.
    Finished finish(std::size_t request, Result result);

    // A place of the result: the part of a text that a request, or a sentence that is only copied, stands for.
    struct Spot {
        std::size_t text, sentence;
        text::Range source;
    };
    using Visit = std::function<void(const Spot&)>;
    // After everything is prepared. Spots are in the order of the texts.
    std::size_t spot_count();
    void visit(std::size_t request, const Visit& visit);
    void visit_copies(const std::function<void(const Spot&, const Finished&)>& visit);

    // After every request is finished; once.
    std::vector<TextResult> assemble();

private:
    struct PartHypothesis {
        std::string text;
        Tokens tokens;
        std::size_t length = 0;  // in tokens, though they may be gone
        float score = 0.0f;
        std::vector<std::vector<float>> attention;
    };
    // A sentence, or a part of a long one.
    struct Part {
        text::Range range;  // in the unit's source
        bool copied = false;
        Tokens tokens;
        std::vector<PartHypothesis> hypotheses;
    };
    struct Waiting {
        std::size_t unit, part;
    };
    struct Use {
        std::size_t text, sentence;  // of its first part
        const Segments::Place* place;
    };

    Tokens tokenize(std::string_view source, std::string_view code) const;
    std::size_t code_tokens(std::string_view code) const;  // with which its sources begin
    void prepare_unit(std::size_t unit);
    void add_part(std::size_t unit, text::Range range, Tokens tokens, std::size_t code_tokens);
    bool worth_translating(std::span<const std::string> tokens) const;
    text::Range source_range(const Segments::Place& place, std::size_t part) const;
    void locate();
    TextResult assemble(std::size_t index);
    TextHypothesis assemble(std::string_view text, const std::vector<Segments::Place>& places, std::size_t h) const;

    const Model& model_;
    std::span<const Text> texts_;
    const TextOptions& text_options_;
    const TranslateOptions& options_;
    const Segments segments_;
    std::vector<std::vector<Part>> parts_;  // of every unit
    std::vector<uint32_t> uses_;            // of every unit, in results that are not made yet
    std::vector<Request> requests_;
    std::vector<Waiting> waiting_;          // where the results of requests_ go
    std::size_t waiting_tokens_ = 0, prepared_ = 0;
    std::vector<std::vector<Use>> used_by_;  // of every unit, once located
    std::size_t spots_ = 0;
};

}  // namespace dragoman::translate
