// SPDX-License-Identifier: Apache-2.0
#include "broken_driver/broken_code.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"

namespace dragoman::test {
namespace {

// The parts of SPIR-V that are examined; "SPIR-V Specification", section 3.
enum Op : uint32_t {
    kExtInst = 12,
    kTypeInt = 21,
    kTypeFloat = 22,
    kTypeVector = 23,
    kConstant = 43,
    kConstantComposite = 44,
    kFunction = 54,
    kCopyObject = 83,
    kFAdd = 129,
    kFMul = 133,
    kVectorTimesScalar = 142,
    kBitwiseAnd = 199,
    kShuffle = 345,
    kShuffleXor = 346,
    kShuffleDown = 348,
    kFirstReduction = 349,  // GroupNonUniformIAdd
    kLastReduction = 364,   // GroupNonUniformLogicalXor
    kMatrixMulAdd = 4459,   // CooperativeMatrixMulAddKHR
};
constexpr uint32_t kFma = 50, kMix = 46;  // instructions of GLSL.std.450
constexpr uint32_t kReduce = 0, kInclusiveScan = 1;
constexpr std::size_t kHeader = 5, kBound = 3;

class Breaker {
public:
    Breaker(std::string_view how, uint32_t subgroup_size) : how_(how), half_(subgroup_size / 2) {}

    std::vector<uint32_t> run(std::span<const uint32_t> code) {
        DRAGOMAN_ASSERT(code.size() > kHeader);
        result_.assign(code.begin(), code.begin() + kHeader);
        bool in_functions = false;
        for (std::size_t at = kHeader; at < code.size();) {
            const uint32_t words = code[at] >> 16, op = code[at] & 0xffff;
            DRAGOMAN_ASSERT(words > 0 && at + words <= code.size());
            if (op == kFunction && !std::exchange(in_functions, true)) declare();
            change(op, code.subspan(at, words));
            at += words;
        }
        return std::move(result_);
    }

private:
    void put(uint32_t op, std::initializer_list<uint32_t> operands) {
        result_.push_back(uint32_t(operands.size() + 1) << 16 | op);
        result_.insert(result_.end(), operands);
    }
    uint32_t new_id() { return result_[kBound]++; }

    // Declares constants before the first function.
    void declare() {
        if (how_ == "half" && uint_type_) {
            mask_ = new_id();
            put(kConstant, {*uint_type_, *mask_, half_ - 1});
        }
        if (how_ != "nan" || !float_type_) return;
        const uint32_t scalar = nans_[*float_type_] = new_id();
        put(kConstant, {*float_type_, scalar, 0x7fc00000u});
        for (const auto& [type, of] : vector_types_) {
            if (of.first != *float_type_) continue;
            const uint32_t id = nans_[type] = new_id();
            result_.push_back((3 + of.second) << 16 | kConstantComposite);
            result_.insert(result_.end(), {type, id});
            result_.insert(result_.end(), of.second, scalar);
        }
    }

    void change(uint32_t op, std::span<const uint32_t> instruction) {
        if (op == kTypeInt && instruction[2] == 32 && instruction[3] == 0) uint_type_ = instruction[1];
        if (op == kTypeFloat && instruction[2] == 32) float_type_ = instruction[1];
        if (op == kTypeVector) vector_types_[instruction[1]] = {instruction[2], instruction[3]};

        std::vector<uint32_t> words(instruction.begin(), instruction.end());
        const bool fma = op == kExtInst && words[4] == kFma;
        if (how_ == "product") {
            if (op == kFMul) words[0] = words[0] - kFMul + kFAdd;
            if (fma) words[4] = kMix;
            if (op == kVectorTimesScalar) return put(kCopyObject, {words[1], words[2], words[3]});
            if (op == kMatrixMulAdd) return put(kCopyObject, {words[1], words[2], words[5]});
        }
        if (how_ == "nan" && (fma || op == kFMul || op == kFAdd))
            if (const auto nan = nans_.find(words[1]); nan != nans_.end()) words[fma ? 5 : 3] = nan->second;
        const bool shuffle = op >= kShuffle && op <= kShuffleDown;
        if (how_ == "shuffle" && shuffle) return put(kCopyObject, {words[1], words[2], words[4]});
        if (how_ == "half" && mask_ && (op == kShuffle || op == kShuffleXor)) {
            const uint32_t masked = new_id();
            put(kBitwiseAnd, {*uint_type_, masked, words[5], *mask_});
            words[5] = masked;
        }
        if (how_ == "half" && op >= kFirstReduction && op <= kLastReduction && words[4] == kReduce)
            words[4] = kInclusiveScan;
        result_.insert(result_.end(), words.begin(), words.end());
    }

    const std::string_view how_;
    const uint32_t half_;
    std::vector<uint32_t> result_;
    std::optional<uint32_t> uint_type_, float_type_, mask_;
    std::map<uint32_t, uint32_t> nans_;  // constants by their types
    std::map<uint32_t, std::pair<uint32_t, uint32_t>> vector_types_;
};

}  // namespace

bool is_fault(std::string_view how) { return how == "product" || how == "nan" || how == "shuffle" || how == "half"; }

std::vector<uint32_t> broken_code(std::span<const uint32_t> code, std::string_view how, uint32_t subgroup_size) {
    return Breaker(how, std::max(subgroup_size, 2u)).run(code);
}

}  // namespace dragoman::test
