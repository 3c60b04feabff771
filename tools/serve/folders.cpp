// SPDX-License-Identifier: Apache-2.0
#include "serve/folders.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <system_error>

#include "base/os/path_text.h"

namespace serve {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& why) {
    throw std::runtime_error(fmt::format("--state {}: {}", dragoman::text_of(folder), why));
}

void make(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
    if (error) refuse(folder, error.message());
}

}  // namespace

Folders::Folders(const std::filesystem::path& state) : state_(state) {
    make(state_);
    bool alone = false;
    std::error_code error = lock_.open(state_ / "lock");
    if (!error) error = lock_.try_lock(alone);
    if (error) refuse(state_, "cannot be locked: " + error.message());
    if (!alone) refuse(state_, "another service uses it");
    std::filesystem::remove_all(uploads(), error);  // of a service that was killed
    for (const std::filesystem::path& folder : {uploads(), glossaries(), memories(), documents()}) make(folder);
}

}  // namespace serve
