// SPDX-License-Identifier: Apache-2.0
#include "registry/merit.h"

#include <algorithm>
#include <limits>

#include "registry/choice.h"
#include "registry/first_use.h"
#include "spec/language_pairs.h"

namespace dragoman::registry {
namespace {

Tags tags_of(const std::vector<std::string>& codes) {
    Tags tags;
    for (const std::string& code : codes)
        if (const auto tag = spec::LanguageTag::find(code)) tags.push_back(*tag);
    return tags;
}

int metric_place(const std::string& metric, double quality) {
    if (quality <= 0) return 4;
    return metric == "comet22" ? 0 : metric == "chrf" ? 1 : metric == "bleu" ? 2 : 3;
}

uint64_t size_or_most(uint64_t bytes) { return bytes ? bytes : std::numeric_limits<uint64_t>::max(); }

int unhashed(const std::vector<RemoteFile>& files) {
    const auto count = std::ranges::count_if(files, has_published_hash);
    return count == 0 ? 2 : count == std::ssize(files) ? 0 : 1;
}

// As far as they are known.
uint64_t unpacked_bytes(const Entry& entry) {
    uint64_t sum = 0;
    for (const RemoteFile& file : entry.files) sum += std::max(file.bytes, file.unpacked_bytes);
    return sum;
}

// 0: the very one; 1: one that fits; 2: none does.
int fit(const spec::LanguageTag& wanted, const Tags& tags) {
    const auto same = [&](const spec::LanguageTag& tag) { return spec::same_language(wanted, tag); };
    if (!wanted.known() || std::ranges::any_of(tags, same)) return 0;
    return spec::best_match(wanted, tags) ? 1 : 2;
}

}  // namespace

std::optional<Merit> Candidate::between(const spec::LanguageTag& wanted_from,
                                        const spec::LanguageTag& wanted_to) const {
    const int source = fit(wanted_from, from), target = fit(wanted_to, to);
    if (source == 2 || target == 2) return std::nullopt;
    Merit merit_here = merit;
    merit_here.of_others = source + target > 0;
    return merit_here;
}

bool is_poor(const std::string& metric, double quality) {
    const double least = metric == "comet22" ? 0.6 : metric == "chrf" ? 35 : metric == "bleu" ? 10 : 0;
    return quality > 0 && quality < least;
}

Candidate candidate_of(const Entry& entry, std::size_t index, uint64_t memory) {
    Candidate candidate{tags_of(entry.from), tags_of(entry.to), {}, index};
    candidate.merit = {is_poor(entry.metric, entry.quality),
                       memory > 0 && unpacked_bytes(entry) > memory,
                       entry.from.size() != 1 || entry.to.size() != 1,
                       false,
                       !allows_commercial_use(entry.license),
                       unhashed(entry.files),
                       metric_place(entry.metric, entry.quality),
                       entry.quality > 0 ? -entry.quality : 0,
                       size_or_most(entry.bytes()),
                       entry.name()};
    return candidate;
}

Candidate candidate_of(const store::Installed& model, std::size_t index, uint64_t memory) {
    Candidate candidate{tags_of(model.from), tags_of(model.to), {}, index};
    candidate.merit = {is_poor(model.metric, model.quality),
                       memory > 0 && model.bytes > memory,
                       model.from.size() != 1 || model.to.size() != 1,
                       false,
                       !allows_commercial_use(model.license),
                       0,
                       metric_place(model.metric, model.quality),
                       model.quality > 0 ? -model.quality : 0,
                       size_or_most(model.bytes),
                       model.name};
    return candidate;
}

spec::LanguageTag wanted_language(const std::string& text) {
    return text.empty() ? spec::LanguageTag() : spec::LanguageTag::parse(text);
}

}  // namespace dragoman::registry
