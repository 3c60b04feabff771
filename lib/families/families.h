// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "files/file_set.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Recognises a model and reads it. Throws io_error, bad_model, unsupported, out_of_memory.
spec::ModelSpec load(const FileSet& files);
spec::ModelSpec load(const std::filesystem::path& path);  // a directory, a file or a zip archive

// A form in which models are published: how to know it and how to read it.
struct Form {
    std::string_view format;
    std::string_view looks_like;  // for the message when nothing fits: "a directory with model.bin"
    bool (*recognises)(const FileSet& files);
    spec::ModelSpec (*load)(const FileSet& files);
    bool self_contained = false;  // its neighbouring files say nothing about the model
};

// The forms, in the order in which load() tries them.
std::span<const Form> forms();

}  // namespace dragoman::families
