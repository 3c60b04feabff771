// SPDX-License-Identifier: Apache-2.0
#include "serve/work/translator_counts.h"

#include <algorithm>

namespace serve::work {
namespace {

void add(dragoman_stats& sum, const dragoman_stats& more) {
    sum.sentences += more.sentences;
    sum.source_tokens += more.source_tokens;
    sum.target_tokens += more.target_tokens;
    sum.batches += more.batches;
    sum.decoder_steps += more.decoder_steps;
    sum.repeated_sentences += more.repeated_sentences;
    sum.dispatches_per_step = std::max(sum.dispatches_per_step, more.dispatches_per_step);
    // These are the device's, whichever translator is asked.
    sum.submissions = std::max(sum.submissions, more.submissions);
    sum.host_waits = std::max(sum.host_waits, more.host_waits);
    sum.dispatches = std::max(sum.dispatches, more.dispatches);
    sum.memory_bytes = more.memory_bytes;
    sum.memory_peak_bytes = std::max(sum.memory_peak_bytes, more.memory_peak_bytes);
    sum.host_peak_bytes = std::max(sum.host_peak_bytes, more.host_peak_bytes);
}

}  // namespace

std::shared_ptr<dragoman::Translator> TranslatorCounts::counted(std::unique_ptr<dragoman::Translator> translator) {
    std::shared_ptr<dragoman::Translator> shared(translator.release(),
                                                 [self = shared_from_this()](dragoman::Translator* old) {
                                                     self->leave(old);
                                                     delete old;
                                                 });
    const std::lock_guard lock(mutex_);
    here_.insert(shared.get());
    return shared;
}

void TranslatorCounts::leave(const dragoman::Translator* translator) {
    const std::lock_guard lock(mutex_);
    here_.erase(translator);
    try {
        add(gone_, translator->stats());
    } catch (const dragoman::Error&) {  // on a thread where it may not be asked: what it did is not counted
    }
}

dragoman_stats TranslatorCounts::sum() const {
    const std::lock_guard lock(mutex_);
    dragoman_stats sum = gone_;
    for (const dragoman::Translator* translator : here_) add(sum, translator->stats());
    sum.struct_size = sizeof sum;
    return sum;
}

}  // namespace serve::work
