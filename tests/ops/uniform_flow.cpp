// SPDX-License-Identifier: Apache-2.0
#include "ops/uniform_flow.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.h"

namespace dragoman::test {
namespace {

// "SPIR-V Specification", section 3.
enum Op : uint32_t {
    kExtInst = 12,
    kConstant = 43,
    kFunction = 54,
    kFunctionEnd = 56,
    kVariable = 59,
    kLoad = 61,
    kStore = 62,
    kCopyMemory = 63,
    kAccessChain = 65,
    kInBoundsAccessChain = 66,
    kDecorate = 71,
    kVectorShuffle = 79,
    kCompositeExtract = 81,
    kCompositeInsert = 82,
    kControlBarrier = 224,
    kMemoryBarrier = 225,
    kAtomicStore = 228,
    kFirstAtomic = 229,
    kLastAtomic = 242,
    kPhi = 245,
    kLoopMerge = 246,
    kSelectionMerge = 247,
    kLabel = 248,
    kBranch = 249,
    kBranchConditional = 250,
    kSwitch = 251,
    kUnreachable = 255,
    kElect = 333,
    kBallot = 339,
    kFirstReduction = 349,
    kLastReduction = 364,
    kMatrixStore = 4458,
    kTensorMatrixStore = 5368,
};
constexpr uint32_t kBuiltIn = 11, kInput = 1, kPushConstant = 9, kPrivate = 6, kFunctionStorage = 7,
                   kWorkgroupScope = 2, kSubgroupScope = 3;
constexpr std::size_t kHeader = 5;

using Instruction = std::span<const uint32_t>;

struct Block {
    std::vector<Instruction> body;
    std::vector<std::size_t> next, before;
    std::vector<bool> ends_after;  // the blocks that every way from here to the end passes
    bool apart = false;            // only some run it
};

uint32_t op_of(Instruction i) { return i[0] & 0xffff; }

bool has_result(uint32_t op) {
    switch (op) {
        case kStore:
        case kCopyMemory:
        case kControlBarrier:
        case kMemoryBarrier:
        case kAtomicStore:
        case kLoopMerge:
        case kSelectionMerge:
        case kMatrixStore:
        case kTensorMatrixStore: return false;
        default: return op < kBranch || op > kUnreachable;
    }
}

// The operands that are ids, of an instruction with a result; of a phi, its values.
std::vector<uint32_t> ids_of(Instruction i) {
    const uint32_t op = op_of(i);
    std::size_t begin = 3, end = i.size();
    if (op == kExtInst) begin = 5;
    if (op == kLoad || op == kCompositeExtract) end = 4;
    if (op == kCompositeInsert || op == kVectorShuffle) end = 5;
    if (op >= kFirstReduction && op <= kLastReduction) begin = 5;
    std::vector<uint32_t> ids;
    if (op == kVariable) return ids;
    for (std::size_t at = begin; at < end; at += op == kPhi ? 2 : 1) ids.push_back(i[at]);
    return ids;
}

class Flow {
public:
    Flow(std::span<const uint32_t> code, Apart apart) : invocations_(apart == Apart::invocations) {
        for (std::size_t at = kHeader; at < code.size(); at += code[at] >> 16) {
            DRAGOMAN_ASSERT(code[at] >> 16 > 0);
            read(code.subspan(at, code[at] >> 16));
        }
    }

    uint32_t functions() const { return functions_; }

    uint32_t barriers_apart() {
        link();
        while (spread()) {}
        uint32_t found = 0;
        for (const Block& block : blocks_)
            for (const Instruction i : block.body)
                found += block.apart && ((op_of(i) == kControlBarrier && constants_[i[1]] <= kWorkgroupScope) ||
                                         (op_of(i) == kMemoryBarrier && constants_[i[1]] != kSubgroupScope));
        return found;
    }

private:
    bool differs(uint32_t built_in) const {
        constexpr uint32_t kWorkgroupId = 26, kGlobalInvocationId = 28;
        constexpr uint32_t kOfInvocations[] = {27, kGlobalInvocationId, 29, 40, 41};  // local, subgroups'
        if (!invocations_) return built_in == kWorkgroupId || built_in == kGlobalInvocationId;
        return std::ranges::find(kOfInvocations, built_in) != std::end(kOfInvocations) || built_in > 4000;  // masks
    }

    void read(Instruction i) {
        const uint32_t op = op_of(i);
        if (op == kConstant) constants_[i[2]] = i[3];
        if (op == kDecorate && i[2] == kBuiltIn && differs(i[3])) apart_.insert(i[1]);
        if (op == kVariable && (i[3] == kPrivate || i[3] == kFunctionStorage)) own_.insert(i[2]);
        if (op == kVariable && (i[3] == kPushConstant || i[3] == kInput)) steady_.insert(i[2]);
        if (op == kFunction) ++functions_;
        if (op == kLabel) {
            places_[i[1]] = blocks_.size();
            blocks_.emplace_back();
        } else if (!blocks_.empty() && op != kFunctionEnd) {
            blocks_.back().body.push_back(i);
        }
    }

    void link() {
        const std::size_t count = blocks_.size();
        for (std::size_t b = 0; b < count; ++b) {
            const Instruction end = blocks_[b].body.back();
            const auto go = [&](uint32_t label) {
                blocks_[b].next.push_back(places_.at(label));
                blocks_[places_.at(label)].before.push_back(b);
            };
            if (op_of(end) == kBranch) go(end[1]);
            if (op_of(end) == kBranchConditional) go(end[2]), go(end[3]);
            if (op_of(end) == kSwitch)
                for (std::size_t at = 2; at < end.size(); at += 2) go(end[at]);
        }
        for (Block& block : blocks_) block.ends_after.assign(count, true);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t b = count; b-- > 0;) {
                std::vector<bool> after(count, !blocks_[b].next.empty());
                for (const std::size_t next : blocks_[b].next)
                    for (std::size_t i = 0; i < count; ++i) after[i] = after[i] && blocks_[next].ends_after[i];
                after[b] = true;
                changed = changed || after != blocks_[b].ends_after;
                blocks_[b].ends_after = std::move(after);
            }
        }
    }

    bool add(uint32_t id) { return apart_.insert(id).second; }
    bool any(const std::vector<uint32_t>& ids) const {
        return std::ranges::any_of(ids, [&](uint32_t id) { return apart_.contains(id); });
    }

    uint32_t root(uint32_t pointer) const {
        for (auto at = bases_.find(pointer); at != bases_.end(); at = bases_.find(pointer)) pointer = at->second;
        return pointer;
    }

    // Blocks that not every way from this one's end passes, but some.
    void part_after(const Block& block, bool& changed) {
        for (const std::size_t next : block.next)
            for (std::size_t b = 0; b < blocks_.size(); ++b) {
                const bool always = std::ranges::all_of(block.next, [&](std::size_t other) {
                    return bool(blocks_[other].ends_after[b]);
                });
                if (always || !blocks_[next].ends_after[b] || blocks_[b].apart) continue;
                blocks_[b].apart = changed = true;
            }
    }

    bool spread() {
        bool changed = false;
        for (const Block& block : blocks_) {
            for (const Instruction i : block.body) {
                const uint32_t op = op_of(i);
                if (op == kAccessChain || op == kInBoundsAccessChain) bases_[i[2]] = i[3];
                if (op == kStore || op == kCopyMemory) {
                    const bool into_own = own_.contains(root(i[1]));
                    if (into_own && (block.apart || any({i[1], i[2]}))) changed |= add(root(i[1]));
                } else if (has_result(op)) {
                    const bool always = invocations_ &&
                                        ((op >= kFirstAtomic && op <= kLastAtomic) || op == kElect || op == kBallot);
                    const bool at_other_times = op == kLoad && block.apart && !steady_.contains(root(i[3]));
                    if (always || at_other_times || any(ids_of(i)) || joins(block, i)) changed |= add(i[2]);
                }
            }
            const Instruction end = block.body.back();
            const bool parts = block.next.size() > 1 && (block.apart || apart_.contains(end[1]));
            if (parts) part_after(block, changed);
        }
        return changed;
    }

    bool joins(const Block& block, Instruction phi) const {
        if (op_of(phi) != kPhi) return false;
        return std::ranges::any_of(block.before, [&](std::size_t b) {
            const Block& before = blocks_[b];
            return before.apart || (before.next.size() > 1 && apart_.contains(before.body.back()[1]));
        });
    }

    const bool invocations_;
    uint32_t functions_ = 0;
    std::vector<Block> blocks_;
    std::map<uint32_t, std::size_t> places_;  // of labels
    std::map<uint32_t, uint32_t> constants_, bases_;
    std::set<uint32_t> own_;    // variables of one invocation
    std::set<uint32_t> steady_;  // variables that nobody writes
    std::set<uint32_t> apart_;  // what differs, and the variables that hold such
};

}  // namespace

std::optional<uint32_t> barriers_apart(std::span<const uint32_t> code, Apart apart) {
    Flow flow(code, apart);
    if (flow.functions() != 1) return std::nullopt;
    return flow.barriers_apart();
}

}  // namespace dragoman::test
