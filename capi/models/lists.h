// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/models.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "registry/catalog.h"
#include "store/installed.h"

// Its strings do not move.
struct dragoman_model_list {
    std::deque<std::string> strings;
    std::vector<dragoman_published_model> models;
    std::vector<std::vector<dragoman_published_file>> files;  // of each model
    std::string problems;

    const char* keep(std::string text);
    void add(const dragoman::store::Installed& model);
    void add(const dragoman::registry::Entry& entry, const std::vector<dragoman::registry::Registry>& registries);
    void note_installed(
        const dragoman::store::Installed& model);  // that the last model of the list is here as this one
    void add_problem(const std::string& line);
};

struct dragoman_registry_list {
    std::vector<dragoman::registry::Registry> kept;
    std::deque<std::string> times;  // of their lists
    std::vector<dragoman_registry> registries;
};
