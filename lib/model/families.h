// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "model/spec.h"

namespace dragoman::model {

// One file format: how to know it and how to read it.
struct Family {
    std::string_view format;
    std::string_view looks_like;  // for the message when nothing fits: "a directory with model.bin"
    bool (*recognises)(const FileSet& files);
    ModelSpec (*load)(const FileSet& files);
    bool self_contained = false;  // what lies beside its file says nothing about the model
};

// In the order in which load() asks them.
std::span<const Family> families();

}  // namespace dragoman::model
