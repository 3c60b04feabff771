// SPDX-License-Identifier: Apache-2.0
// The texts beside the weights. The input is files: a line with the name, then the content up to a zero byte.
#include <algorithm>
#include <memory>

#include "families/huggingface/huggingface.h"
#include "formats/vocabulary_files.h"
#include "fuzz/fuzz.h"
#include "spec/model_card.h"

namespace dragoman::test::model_files_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    std::vector<FileBytes> list;
    for (const uint8_t *at = data, *end = data + size; at != end;) {
        const uint8_t* stop = std::find(at, end, uint8_t{0});
        const uint8_t* line = std::find(at, stop, uint8_t{'\n'});
        const uint8_t* content = line == stop ? stop : line + 1;
        FileBytes file = test::fuzz_file(content, static_cast<std::size_t>(stop - content));
        file.name.assign(at, line);
        const auto same = [&](const FileBytes& other) { return other.name == file.name; };
        if (std::none_of(list.begin(), list.end(), same)) list.push_back(std::move(file));
        at = stop == end ? end : stop + 1;
    }
    const test::MemoryFiles files(std::move(list));
    test::refusing([&] { spec::read_license(files); });
    for (const std::string& name : files.names())
        test::refusing([&] { spec::languages_in(formats::read_vocabulary(files, name)); });
    return test::refusing([&] {
        if (families::is_huggingface(files)) families::load_huggingface(files);
    });
}

}  // namespace dragoman::test::model_files_fuzz
