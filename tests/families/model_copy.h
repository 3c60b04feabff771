// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "families/families.h"
#include "support/temp_dir.h"

namespace dragoman::test {

// A copy of a model of tests/data/huggingface that tests break.
struct ModelCopy {
    explicit ModelCopy(const std::string& name) {
        for (const auto& entry : std::filesystem::directory_iterator(DRAGOMAN_TEST_DATA "/huggingface/" + name))
            std::filesystem::copy_file(entry.path(), folder.path() / entry.path().filename());
    }
    nlohmann::json read(const std::string& file) const {
        return nlohmann::json::parse(read_file(folder.path() / file));
    }
    ModelCopy& set(const std::string& file, const std::string& key, const nlohmann::json& value) {
        nlohmann::json values = read(file);
        values[key] = value;
        folder.write(file, values.dump());
        return *this;
    }
    ModelCopy& remove(const std::string& file) {
        std::filesystem::remove(folder.path() / file);
        return *this;
    }
    spec::ModelSpec load() const { return families::load(folder.path()); }
    void check_refused(Status status, std::initializer_list<const char*> parts) const {
        try {
            load();
            FAIL("a broken model was loaded");
        } catch (const Error& error) {
            INFO(std::string(error.what()));
            CHECK(error.status() == status);
            for (const char* part : parts)
                CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, part);
        }
    }
    TempDir folder;
};

}  // namespace dragoman::test
