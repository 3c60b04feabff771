// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

namespace dragoman::pipeline {

// While one lives, this thread runs a callback for `owner` (a Translator); the callback must not wait for that owner.
class CallbackScope {
public:
    explicit CallbackScope(const void* owner) : owner_(owner), outer_(innermost()) { innermost() = this; }
    ~CallbackScope() { innermost() = outer_; }
    CallbackScope(const CallbackScope&) = delete;

    static bool inside_any() { return innermost() != nullptr; }
    static bool inside(const void* owner) {
        for (const CallbackScope* scope = innermost(); scope; scope = scope->outer_)
            if (scope->owner_ == owner) return true;
        return false;
    }
    static void forbid(const void* owner) {
        if (inside(owner)) fail(Status::invalid_argument, "in a callback of its translator this would wait forever");
    }

private:
    static const CallbackScope*& innermost() {
        thread_local const CallbackScope* scope = nullptr;
        return scope;
    }
    const void* const owner_;
    const CallbackScope* const outer_;
};

}  // namespace dragoman::pipeline
