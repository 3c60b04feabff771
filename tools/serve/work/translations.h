// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "serve/json.h"
#include "serve/problem.h"
#include "serve/work/models.h"

namespace serve::work {

class Terms;   // glossaries.h
class Memory;  // memories.h

// A translation that a client asks for.
struct Ask {
    std::vector<std::string> texts;
    std::string from;   // in any spelling; "" or "auto": detected over all texts
    std::string to;     // in any spelling
    std::string model;  // a name; "": chosen by the languages
    dragoman_markup markup = DRAGOMAN_MARKUP_NONE;
    std::uint32_t alternatives = 0;  // other translations of each text; fewer may come
    bool scores = false, quality = false, coverage = false, alignment = false, tokens = false;
    std::int32_t priority = 0;
    std::string context;  // what stands before; empty: none. A hint only: no model here reads it yet
    std::shared_ptr<const Terms> terms;  // null: none
    std::shared_ptr<const Memory> memory;  // null: none
    Json options = Json::object();  // other options by the names of docs/options.md: {"beam_size": 4}
    bool partial = false;  // tells of sentences at work, too
};

// What it got. `result` may be shared with others who asked the same, and never changes.
struct Answer {
    std::shared_ptr<const dragoman::Result> result;
    std::string from, to;  // served tags
    bool detected = false;  // `from` was found
    double confidence = 0;  // of the detection, 0 to 1
    std::vector<std::string> models;
    std::uint64_t characters = 0;  // of the texts
    std::vector<std::string>
        copies;  // where there is no result: the texts themselves, which are in `to` or say nothing

    std::size_t size() const;  // texts
    std::string text(std::size_t input) const;
    // The other hypotheses that differ from the best one and from each other.
    std::vector<std::string> alternatives(std::size_t input) const;
};

// Something that happened to a translation; see dragoman_event. Strings live until the callback returns.
struct Event {
    bool partial = false;  // a sentence at work; otherwise one that is done
    std::size_t input = 0, sentence = 0, done = 0, total = 0;
    std::size_t begin = 0, end = 0;  // bytes of the input
    std::string_view text;
    float score = 0;
};

// A translation under way. Its destructor cancels it.
class Ticket {
public:
    virtual ~Ticket() = default;
    virtual void cancel() = 0;  // `done` is called with Kind::cancelled; others who asked the same go on
};

struct TranslationsOptions {
    std::size_t most_waiting = 2000;  // translations at work or waiting; beyond: Problem busy at once
    std::uint64_t most_bytes = std::uint64_t(64) << 20;  // of their texts
    std::uint64_t cache_bytes = std::uint64_t(64)
                                << 20;  // of answers that are kept for sentences that come again; 0: none
    std::size_t most_texts = 10'000;  // of one request
    std::uint64_t most_characters = 0;  // of one text; 0: no limit
    std::uint32_t most_alternatives = 16;
};

struct TranslationCounts {
    std::uint64_t requests = 0, texts = 0, characters = 0, joined = 0 /* with equal ones */, cancelled = 0, failed = 0,
                  refused = 0, cache_hits = 0, sentences = 0, source_tokens = 0, target_tokens = 0;
    std::size_t waiting = 0;  // now
    std::uint64_t waiting_bytes = 0;
};

// Any thread, all of it.
class Translations {
public:
    Translations(Models& models, const TranslationsOptions& options);
    ~Translations();  // cancels what is under way, and waits

    using Done = std::function<void(std::variant<Answer, Problem>)>;
    using OnEvent = std::function<void(const Event&)>;
    // Checks and submits; throws Problem for what is wrong with the request itself and for `busy`. `done` is called
    // once, on any thread, perhaps before this returns; it must not wait. Equal requests under way are searched once.
    [[nodiscard]] std::shared_ptr<Ticket> translate(Ask ask, Done done, OnEvent on_event = {});
    const TranslationsOptions& options() const { return options_; }
    TranslationCounts counts() const;
    // Takes nothing more, and waits until all is done or the time is over; then cancels the rest.
    void drain(std::chrono::milliseconds limit);

private:
    TranslationsOptions options_;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::work
