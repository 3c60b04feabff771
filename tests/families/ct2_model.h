// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/dtype.h"
#include "base/error.h"
#include "families/families.h"
#include "support/temp_dir.h"

namespace dragoman::test {

// A model directory in CTranslate2's format that tests put together, also wrongly.
struct Ct2Model {
    struct Variable {
        DType dtype;
        std::vector<uint32_t> shape;
        std::string bytes;
    };

    uint32_t version = 6;
    std::string spec = "TransformerSpec";
    uint32_t revision = 7;
    std::map<std::string, Variable> variables;
    std::vector<std::pair<std::string, std::string>> aliases;  // alias, name
    std::string config = "{}";                                 // empty: no config.json
    std::map<std::string, std::string> files;                  // vocabularies and whatever else

    // Encoder and decoder of one layer: width 4, 2 heads, feed-forward 6, 5 source and 6 target tokens (the last ones
    // appended as unknown), values that differ everywhere.
    static Ct2Model tiny();

    void set_floats(const std::string& name, std::vector<uint32_t> shape, const std::vector<float>& values);
    void set_floats(const std::string& name, std::vector<uint32_t> shape);  // made-up values
    template <class T>
    void set_integers(const std::string& name, DType dtype, std::vector<uint32_t> shape, const std::vector<T>& values) {
        variables[name] = {dtype, std::move(shape),
                           std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T))};
    }
    void set_flag(const std::string& name, bool value) { set_integers<int8_t>(name, DType::i8, {}, {value}); }
    void set_text(const std::string& name, const std::string& text) {
        variables[name] = {DType::i8, {static_cast<uint32_t>(text.size())}, text};
    }

    std::string model_bin() const;
    void write(const TempDir& folder) const;
    spec::ModelSpec load() const;  // written to a folder of its own that is gone afterwards
    Error error() const;  // what load() throws; fails the test when it does not
};

}  // namespace dragoman::test
