// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace dragoman::test {

// A live row of one step, with what a search would know of it.
struct ScriptRow {
    uint32_t cache_row = 0;
    std::vector<uint32_t> history;   // tokens fed, this step's last; its position is history.size() - 1
    std::vector<uint32_t> ancestry;  // per earlier position: the beam that held this hypothesis then
};
using ScriptStep = std::vector<ScriptRow>;  // by ascending cache row

// Forced decoding with made-up choices: slot s takes lengths[s] steps from step delays[s] on; its first step has one
// row, later ones any of its beams, each going on from a random row of the step before.
inline std::vector<ScriptStep> make_script(const std::vector<uint32_t>& lengths, const std::vector<uint32_t>& delays,
                                           uint32_t beam, uint32_t vocabulary, uint32_t seed) {
    std::mt19937 engine(seed);
    const auto below = [&](uint32_t limit) { return uint32_t(engine() % limit); };
    std::vector<ScriptStep> steps;
    for (uint32_t slot = 0; slot < lengths.size(); ++slot) {
        ScriptStep before;
        for (uint32_t t = 0; t < lengths[slot]; ++t) {
            ScriptStep now;
            const uint32_t always = t == 0 ? 0 : below(beam);
            for (uint32_t k = 0; k < beam; ++k) {
                if (k != always && (t == 0 || below(4) == 0)) continue;
                ScriptRow row;
                if (t > 0) {
                    const ScriptRow& parent = before[below(uint32_t(before.size()))];
                    row = parent;
                    row.ancestry.push_back(parent.cache_row % beam);
                }
                row.cache_row = slot * beam + k;
                row.history.push_back(below(vocabulary));
                now.push_back(row);
            }
            const uint32_t at = delays[slot] + t;
            if (steps.size() <= at) steps.resize(at + 1);
            steps[at].insert(steps[at].end(), now.begin(), now.end());
            before = std::move(now);
        }
    }
    return steps;
}

}  // namespace dragoman::test
