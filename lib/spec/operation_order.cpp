// SPDX-License-Identifier: Apache-2.0
#include "spec/operation_order.h"

#include "base/error.h"

namespace dragoman::spec {
namespace {

void check(const std::string& letters, std::string_view allowed, const char* place) {
    for (const char letter : letters)
        if (!has_letter(allowed, letter))
            fail(Status::bad_model, "operations {} \"{}\": '{}' is none of \"{}\"", place, letters, letter, allowed);
    if (has_letter(letters, 'n') && has_letter(letters, 'r'))
        fail(Status::bad_model, "operations {} \"{}\": two kinds of norm in one place", place, letters);
}

}  // namespace

bool has_letter(std::string_view letters, char letter) { return letters.find(letter) != std::string_view::npos; }

bool has_norm(std::string_view letters) { return has_letter(letters, 'n') || has_letter(letters, 'r'); }

bool OperationOrder::norms_twice() const { return has_norm(before) && has_norm(after); }

OperationOrder operation_order(const StackConfig& stack) {
    if (!stack.custom_order) {
        const std::string norm = stack.rms_norm ? "r" : "n";
        return {.before = stack.pre_norm ? norm : "",
                .after = stack.pre_norm ? "a" : "a" + norm,
                .after_embedding = stack.embedding_norm ? norm : "",
                .after_stack = stack.final_norm ? norm : ""};
    }
    OperationOrder order{stack.before, stack.after, stack.after_embedding, stack.after_stack};
    check(order.before, "nr", "before sub-layers");
    check(order.after, "nrah", "after sub-layers");
    check(order.after_embedding, "nr", "after the embedding");
    check(order.after_stack, "nrah", "after the stack");
    return order;
}

}  // namespace dragoman::spec
