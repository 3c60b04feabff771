// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

#include <algorithm>
#include <vector>

using namespace dragoman::test;

namespace {

struct Step {
    std::size_t at, bytes;
};

// Bytes of the argument behind an opcode; lengths come before their texts.
std::size_t argument(std::string_view pickle, std::size_t at, bool& sound) {
    const auto line = [&](std::size_t from) {
        const std::size_t end = pickle.find('\n', from);
        sound = sound && end != pickle.npos;
        return sound ? end + 1 - from : 0;
    };
    switch (pickle[at]) {
        case '\x80':
        case 'K':
        case 'h':
        case 'q': return 1;
        case 'M': return 2;
        case 'J':
        case 'j':
        case 'r': return 4;
        case 'G':
        case '\x95': return 8;
        case 'X':
        case 'T':
        case 'B': return 4 + std::size_t{read_le<uint32_t>(pickle, at + 1)};
        case 'U':
        case 'C':
        case '\x8c':
        case '\x8a': return 1 + std::size_t{read_le<uint8_t>(pickle, at + 1)};
        case '\x8b': return 4 + std::size_t{read_le<uint32_t>(pickle, at + 1)};
        case '\x8d':
        case '\x8e': return 8 + static_cast<std::size_t>(read_le<uint64_t>(pickle, at + 1));
        case 'I':
        case 'L':
        case 'F':
        case 'S':
        case 'V':
        case 'g':
        case 'p':
        case 'P': return line(at + 1);
        case 'c':
        case 'i': {
            const std::size_t first = line(at + 1);
            return first + line(at + 1 + first);
        }
        default: return 0;
    }
}

std::vector<Step> steps_of(std::string_view pickle) {
    std::vector<Step> steps;
    bool sound = true;
    for (std::size_t at = 0; at < pickle.size() && sound;) {
        const std::size_t bytes = argument(pickle, at, sound);
        if (!sound || bytes > pickle.size() - at - 1) break;
        steps.push_back({at, 1 + bytes});
        at += 1 + bytes;
    }
    return steps;
}

// Where the argument's text begins, behind its length of so many bytes; 0: it has none.
std::size_t length_bytes(char code) {
    switch (code) {
        case 'X':
        case 'T':
        case 'B':
        case '\x8b': return 4;
        case 'U':
        case 'C':
        case '\x8c':
        case '\x8a': return 1;
        default: return 0;
    }
}

// Another text in it, with its length; or another number.
void change_argument(std::string& step, Chance& chance) {
    const std::size_t length = length_bytes(step[0]);
    if (length == 0) {
        if (step.size() > 1) step = step[0] + changed(step.substr(1), step.size() - 1);
        return;
    }
    // A step that was given another opcode may be shorter than this one's length.
    const std::string old = step.substr(std::min(1 + length, step.size()));
    const std::string text = changed(old, std::min<std::size_t>(step.size() + 16, 255));
    std::string made(1 + length, '\0');
    made[0] = step[0];
    for (std::size_t i = 0; i < length; ++i) made[1 + i] = static_cast<char>(text.size() >> (8 * i));
    step = made + text;
    (void)chance;
}

}  // namespace

// Steps of the machine go, come twice, change places or get another argument.
extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Chance chance(seed);
    const std::string pickle(view(data, size));
    const std::vector<Step> steps = steps_of(pickle);
    if (steps.size() < 3 || chance.one_in(8)) return LLVMFuzzerMutate(data, size, max_size);
    std::vector<std::string> all;
    for (const Step& step : steps) all.push_back(pickle.substr(step.at, step.bytes));
    const std::string rest = pickle.substr(steps.back().at + steps.back().bytes);
    for (std::size_t times = 1 + chance.below(3); times > 0 && !all.empty(); --times) {
        const std::size_t which = chance.below(all.size()), other = chance.below(all.size());
        switch (chance.below(6)) {
            case 0: all.erase(all.begin() + static_cast<long>(which)); break;
            case 1: all.insert(all.begin() + static_cast<long>(other), std::string(all[which])); break;
            case 2: std::swap(all[which], all[other]); break;
            case 3: all[which][0] = static_cast<char>(chance.below(256)); break;
            default: change_argument(all[which], chance);
        }
    }
    std::string made;
    for (const std::string& step : all) made += step;
    return give(made + rest, data, max_size);
}
