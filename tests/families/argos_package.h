// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "support/temp_dir.h"
#include "support/zip_file.h"

namespace dragoman::test {

// A package of Argos Translate around the model in tests/data/toy-text.
struct ArgosPackage {
    std::map<std::string, std::string> files;

    ArgosPackage() {
        const std::filesystem::path model = DRAGOMAN_TEST_DATA "/toy-text";
        for (const char* name : {"model.bin", "config.json", "source_vocabulary.txt", "target_vocabulary.txt"})
            files[std::string("model/") + name] = read_file(model / name);
        files["sentencepiece.model"] = read_file(model / "source.spm");
        files["metadata.json"] = R"({"package_version": "1.9", "argos_version": "1.9.0", "from_code": "en",
            "from_name": "English", "to_code": "es", "to_name": "Spanish", "links": ["https://example.com/a"]})";
        files["README.md"] = "# English - Spanish\n\nLicense: CC0\n";
        files["stanza/en/tokenize/x.pt"] = "not read";
    }

    std::string zipped() const {
        ZipFile zip;
        zip.add("en_es/", "");
        for (const auto& [name, content] : files) zip.add("en_es/" + name, content, true);
        return zip.bytes();
    }

    void unpack(const std::filesystem::path& folder) const {
        for (const auto& [name, content] : files) {
            std::filesystem::create_directories((folder / name).parent_path());
            std::ofstream(folder / name, std::ios::binary) << content;
        }
    }
};

}  // namespace dragoman::test
