// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "arguments.h"
#include "base/home_process.h"
#include "pipeline/run/translator.h"
#include "tm/translation_memory.h"
#include "text/glossary.h"

// Handles with a home need threads or a device of the process that made them.
struct dragoman_device {
    std::shared_ptr<dragoman::engine::Device> device;
    dragoman::HomeProcess home{};
};

struct dragoman_model {
    std::shared_ptr<const dragoman::pipeline::Model> model;
    dragoman::HomeProcess home{};
};

struct dragoman_glossary {
    std::shared_ptr<const dragoman::text::Glossary> terms;
};

struct dragoman_memory {
    std::shared_ptr<dragoman::tm::Memory> memory;
    dragoman::HomeProcess home{};
};

struct dragoman_translator {
    std::shared_ptr<dragoman::pipeline::Translator> translator;
    dragoman::HomeProcess home{};
};

namespace dragoman::capi {

// The handle, for calls that use its threads or its device. Throws invalid_argument in a forked process.
template <class Handle>
Handle& at_home(Handle* handle, const char* name) {
    required(handle, name).home.check(name);
    return *handle;
}

// A forked process leaves what a handle of its parent holds as it is.
template <class Handle>
void destroy(Handle* handle) noexcept {
    if (handle && handle->home.here()) delete handle;
}

// Tokens with the views that the C API lends out.
class TokenList {
public:
    explicit TokenList(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
        views_.reserve(tokens_.size());
        for (const std::string& token : tokens_) views_.push_back({token.c_str(), token.size()});
    }
    TokenList(TokenList&&) noexcept = default;  // a copy's views would point into the original
    TokenList& operator=(TokenList&&) noexcept = default;

    dragoman_tokens view() const { return {views_.data(), views_.size()}; }

private:
    std::vector<std::string> tokens_;
    std::vector<dragoman_string> views_;
};

using Ranges = std::vector<dragoman_range>;

// Lists of ranges are lent as they are.
static_assert(sizeof(text::Range) == sizeof(dragoman_range) && alignof(text::Range) == alignof(dragoman_range));
static_assert(offsetof(text::Range, begin) == offsetof(dragoman_range, begin));
static_assert(offsetof(text::Range, end) == offsetof(dragoman_range, end));
inline dragoman_ranges view(std::span<const text::Range> ranges) {
    return {reinterpret_cast<const dragoman_range*>(ranges.data()), ranges.size()};
}

// The tokens of all sentences of a text, one after the other: views that the C API lends out, and the bytes of the text
// that each token stands for. Each list of a text is made when somebody asks for it: it takes four times as much memory as
// the packed tokens and ranges.
class AllTokens {
public:
    // An input's of tokens, which are lent as they are.
    void add(const pipeline::Tokens& tokens, std::span<const text::Range> ranges);
    // One of the lists of a text. Once more, and nothing happens.
    enum class Part { tokens, ranges };
    template <class Sentences>
    void unpack(const Sentences& sentences, Part part);
    dragoman_tokens tokens() const { return {views_.data(), views_.size()}; }
    dragoman_ranges ranges() const { return view(ranges_); }

private:
    std::vector<char> texts_{};  // of unpacked tokens, each with NUL behind it; an empty list takes no memory
    std::vector<dragoman_string> views_{};
    std::vector<text::Range> ranges_{};
    bool has_tokens_ = false, has_ranges_ = false;  // unpacked
};

// An input's result, as the pipeline has it, with the lists that go over all of its sentences. An input of tokens is one
// sentence, which is not counted.
struct Input {
    struct Lists {
        mutable AllTokens tokens{};  // guarded by dragoman_result::unpacking
        std::string pharaoh{};  // the alignment of all sentences
    };
    Input(pipeline::TextResult from, bool tokens) noexcept : result(std::move(from)), of_tokens(tokens) {}
    Input(Input&&) noexcept = default;  // a copy's lists would point into the original
    Input& operator=(Input&&) noexcept = default;

    void make_lists();
    const AllTokens& unpacked_source(AllTokens::Part part) const;
    const AllTokens& unpacked(std::size_t hypothesis, AllTokens::Part part) const;

    std::size_t sentences() const { return of_tokens ? 0 : result.sentences.size(); }

    pipeline::TextResult result;
    bool of_tokens;
    pipeline::Tokens source_tokens{};  // of an input of tokens,
    std::vector<pipeline::Translation> of_source_tokens{};  // and its translations, one for each hypothesis
    mutable AllTokens source{};  // guarded by dragoman_result::unpacking
    std::vector<Lists> hypotheses{};  // one for each of the result's
};

// The translator; throws where this call would wait for it in one of its own callbacks.
pipeline::Translator& waitable(const dragoman_translator* translator);

// Where memory runs out, the arguments are as they were.
std::unique_ptr<dragoman_result> make_result(const pipeline::Model& model, std::vector<pipeline::Tokens>& sources,
                                             std::vector<pipeline::Result>& results);
std::unique_ptr<dragoman_result> make_result(std::vector<pipeline::TextResult>& results);

struct Score {
    TokenList tokens;
    std::vector<float> log_probs;
    std::vector<text::Range> ranges;
};

}  // namespace dragoman::capi

struct dragoman_result {
    bool has_text = false;
    std::size_t first = 0;
    std::vector<dragoman::capi::Input> inputs{};
    mutable std::mutex unpacking{};  // of their tokens
};

struct dragoman_text_list {
    std::vector<std::string> texts;
};

struct dragoman_report {
    std::string json;
};

struct dragoman_scores {
    std::vector<dragoman::capi::Score> pairs;
};
