// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <memory>
#include <mutex>
#include <unordered_set>

namespace serve::work {

// What all translators of a service have done together, also those that are gone: it never becomes less. Any thread.
class TranslatorCounts : public std::enable_shared_from_this<TranslatorCounts> {
public:
    // Counts for it, too; its last holder adds it to those that are gone.
    std::shared_ptr<dragoman::Translator> counted(std::unique_ptr<dragoman::Translator> translator);
    dragoman_stats sum() const;

private:
    void leave(const dragoman::Translator* translator);
    mutable std::mutex mutex_;
    std::unordered_set<const dragoman::Translator*> here_;
    dragoman_stats gone_{};
};

}  // namespace serve::work
