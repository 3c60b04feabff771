// SPDX-License-Identifier: Apache-2.0
#include "translate.h"

#include <memory>

#include "base/error.h"

namespace dragoman::capi {
namespace {

using documents::Translation;
using text::Range;

constexpr int64_t kPatience = 100;  // milliseconds

void check(dragoman_status status) {
    if (status != DRAGOMAN_OK) throw Error(Status(int(status)), dragoman_last_error());
}

struct Destroy {
    void operator()(dragoman_job* job) const { dragoman_job_destroy(job); }
    void operator()(dragoman_result* result) const { dragoman_result_destroy(result); }
    void operator()(dragoman_memory* memory) const { dragoman_memory_destroy(memory); }
    void operator()(dragoman_text_list* texts) const { dragoman_text_list_destroy(texts); }
};
using Job = std::unique_ptr<dragoman_job, Destroy>;
using Result = std::unique_ptr<dragoman_result, Destroy>;
using Memory = std::unique_ptr<dragoman_memory, Destroy>;

std::vector<Range> words(dragoman_ranges ranges, std::size_t begin) {
    std::vector<Range> words;
    for (std::size_t i = 0; i < ranges.count; ++i)
        words.push_back({ranges.data[i].begin - begin, ranges.data[i].end - begin});
    return words;
}

Translation read(const dragoman_result* result, std::size_t input) {
    dragoman_string text{};
    check(dragoman_result_text(result, input, 0, &text));
    Translation translation{{text.data, text.size}};
    for (std::size_t s = 0; s < dragoman_result_sentence_count(result, input); ++s) {
        dragoman_sentence sentence;
        dragoman_sentence_init(&sentence);
        dragoman_ranges source{}, target{};
        dragoman_matrix alignment{};
        check(dragoman_result_sentence(result, input, 0, s, &sentence));
        check(dragoman_result_source_words(result, input, 0, s, &source));
        check(dragoman_result_target_words(result, input, 0, s, &target));
        check(dragoman_result_sentence_alignment(result, input, 0, s, &alignment));
        markup::AlignedSentence& one = translation.sentences.emplace_back();
        one.source = {sentence.source_begin, sentence.source_end};
        one.target = {sentence.target_begin, sentence.target_end};
        one.words.source = words(source, one.source.begin);
        one.words.target = words(target, one.target.begin);
        if (alignment.data) one.words.weights.assign(alignment.data, alignment.data + alignment.rows * alignment.cols);
    }
    return translation;
}

// A memory that keeps the answers of these options in a file, besides what their own memory does.
Memory kept_in(const char* path, const dragoman_translator* translator, const dragoman_translate_options& options) {
    dragoman_text_list* key = nullptr;
    check(dragoman_translation_key(translator, &options, 0, nullptr, nullptr, &key));
    const std::unique_ptr<dragoman_text_list, Destroy> owner(key);
    dragoman_string text{};
    check(dragoman_text_list_get(key, 0, &text));
    dragoman_memory* memory = nullptr;
    check(dragoman_keep_answers(path, &text, 0, options.memory, &memory));
    return Memory(memory);
}

class Work {
public:
    Work(dragoman_translator* translator, std::span<const std::string_view> texts, bool align,
         const dragoman_translate_options& options, const dragoman_document_options& document)
        : document_(document), translations_(texts.size()) {
        for (const std::string_view text : texts) views_.push_back({text.data(), text.size()});
        dragoman_translate_options own = options;
        own.return_alignment = align;
        own.discard_tokens = 1;
        own.markup = DRAGOMAN_MARKUP_NONE;
        if (document.resume) own.memory = (kept_ = kept_in(document.resume, translator, own)).get();
        if (views_.empty()) return;
        dragoman_job_options how;
        check(dragoman_job_options_init(&how));
        how.fed = 1;
        dragoman_job* job = nullptr;
        check(dragoman_submit_texts(translator, nullptr, 0, nullptr, &own, &how, &job));
        job_.reset(job);
    }

    Work(const Work&) = delete;
    // Nothing more is written to the file of what is kept when this returns.
    ~Work() {
        if (!kept_ || !job_) return;
        dragoman_job_cancel(job_.get());
        dragoman_job_wait(job_.get(), -1, nullptr);
    }

    std::vector<Translation> run() {
        report();
        std::size_t fed = 0;
        while (done_ < views_.size()) {
            if (fed < views_.size()) {
                std::size_t taken = 0;
                check(dragoman_job_feed_texts(job_.get(), views_.data() + fed, views_.size() - fed, nullptr, 0,
                                              &taken));
                fed += taken;
                if (fed == views_.size()) check(dragoman_job_finish(job_.get()));
            }
            dragoman_result* next = nullptr;
            check(dragoman_job_next_result(job_.get(), kPatience, &next));
            if (next) take(Result(next));
            report();
        }
        return std::move(translations_);
    }

private:
    void take(const Result& result) {
        for (std::size_t i = 0; i < dragoman_result_count(result.get()); ++i)
            translations_[done_++] = read(result.get(), i);
    }
    void report() const {
        if (document_.progress && document_.progress(done_, views_.size(), document_.user) != 0)
            fail(Status::cancelled, "document: cancelled after {} of {} texts", done_, views_.size());
    }

    const dragoman_document_options& document_;
    std::vector<Translation> translations_;
    std::vector<dragoman_string> views_;
    std::size_t done_ = 0;
    Memory kept_;
    Job job_;  // ends first
};

}  // namespace

std::vector<Translation> translate_units(dragoman_translator* translator, std::span<const std::string_view> texts,
                                         bool align, const dragoman_translate_options& options,
                                         const dragoman_document_options& document) {
    return Work(translator, texts, align, options, document).run();
}

}  // namespace dragoman::capi
