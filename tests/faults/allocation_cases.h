// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <functional>
#include <string>
#include <vector>

namespace dragoman::faults {

// What a program does with the library, in parts that can fail one by one.
struct Case {
    const char* name;
    std::function<void()> prepare;  // with memory; may be empty
    // Says what it has found, to be compared with what it finds when memory does not run out.
    std::function<dragoman_status(std::string& found)> run;
};

// A model on a device, beside another model, whose translations must not change.
class Cases {
public:
    explicit Cases(const std::string& model);  // exits where it cannot be loaded
    ~Cases();
    Cases(const Cases&) = delete;

    std::vector<Case> all();
    std::string neighbour();  // what the other model says
    uint64_t held_bytes();  // of the device, after it was trimmed
    void unload();  // all but the device

private:
    dragoman_status load(dragoman_model** model);
    dragoman_status translate(dragoman_translator* translator, const dragoman_translate_options& options,
                              std::string& found);
    dragoman_status submit(dragoman_translator* translator, std::string& found);
    dragoman_status feed(std::string& found);
    dragoman_status score(std::string& found);
    dragoman_status embed(std::string& found);
    dragoman_status tokenize(std::string& found);
    dragoman_status whole(std::string& found);

    const std::string path_;
    bool texts_ = false, encoder_ = false;
    dragoman_device* device_ = nullptr;
    dragoman_model *other_ = nullptr, *model_ = nullptr, *leaving_ = nullptr;
    dragoman_translator *other_translator_ = nullptr, *translator_ = nullptr, *leaving_translator_ = nullptr;
    dragoman_memory* memory_ = nullptr;
    dragoman_translate_options plain_{}, rich_{}, alternatives_{}, remembered_{};
};

}  // namespace dragoman::faults
