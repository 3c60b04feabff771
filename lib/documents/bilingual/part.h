// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "documents/part.h"
#include "documents/strings/accelerator.h"
#include "documents/strings/values.h"

namespace dragoman::documents {

// A stretch of a source with a translation of its own: all of it, or a segment into which a program has cut it.
struct BilingualSegment {
    Range bytes{};
    std::string id{};  // of a segment
    Range units{};     // one, or the forms of the message
    Accelerator accelerator{};
    Value message{};  // with forms, "{n, plural, one {file} other {files}}", as it is written; without: units are empty
};

// The place for a source's translation: instead of these bytes, between these tags, with everything that the source has.
struct BilingualPlace {
    Range bytes{};
    std::string before{}, after{};
    Range content{};  // bytes of the source
    std::vector<BilingualSegment> segments{};
};

// A file with translations beside their sources.
class BilingualPart final : public SplicedPart {
public:
    BilingualPart(std::string source, Units units, std::vector<BilingualPlace> places, std::set<std::size_t> gaps);

private:
    std::vector<markup::Edit> edits(std::span<const Translation> translations) const override;
    markup::Edit edit(std::size_t unit, std::string_view target, std::span<const Range> marks) const override;
    void add_segment(const BilingualSegment& segment, std::span<const Translation> translations,
                     std::vector<markup::Edit>& edits) const;

    const std::vector<BilingualPlace> places_;
    const std::set<std::size_t> gaps_;
    std::vector<const Accelerator*> accelerators_;  // of each unit; null: of a message's form
};

std::string escaped_attribute(std::string_view text);

}  // namespace dragoman::documents
