// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/stored_metadata.h"

namespace dragoman::store {

// The file that makes a folder of the store a model; it is written last.
inline constexpr std::string_view kMetadataFile = spec::kStoredMetadata;

struct StoredFile {
    std::string name;      // relative to the model's folder, with '/'
    uint64_t bytes = 0;
    std::string sha256;    // of these bytes, in lower-case hexadecimal
    std::string url;       // it came from there; "" for members of an archive
    // "published": the registry had a hash of the transferred or of the unpacked file, and it fitted; "first use":
    // there was none, and it is what came the first time; "converted q8": it was made here of what came, of that type
    std::string proof;
};

// A file as it was transferred, where its registry has no hash of it: what comes again has to be the same.
struct FirstUse {
    std::string url, sha256;
};

// A model that is on this machine.
struct Installed {
    std::string name;  // "firefox:de-en"
    std::filesystem::path path;  // what is loaded: a folder or a file
    // BCP 47, in others' caches the codes that are found there ("eng", "pb"); empty: the model says it when it is read
    std::vector<std::string> from, to;
    std::string license;  // "" unknown
    std::string publisher;  // "" unknown
    std::string version;  // as the registry spells it
    std::string architecture;  // likewise
    double quality = 0;  // as the registry has it (`metric`); 0: none
    std::string metric;  // "comet22", "chrf", "bleu"
    uint64_t bytes = 0;  // of its files
    std::string owner;  // "dragoman", or whose cache it is: "huggingface", "argos", ...
    std::string installed_at;  // ISO 8601, UTC; "" in others' caches
    std::vector<StoredFile> files;  // of the own store only
    std::vector<FirstUse> first_use;  // likewise
    bool own() const { return owner == "dragoman"; }
};

// Reads and writes a model's metadata. read_metadata throws bad_model for a broken file, unsupported for one of a newer
// format, io_error for one that is not there; `folder` becomes `path`, or a file in it where the metadata names one.
Installed read_metadata(const std::filesystem::path& folder);
void write_metadata(const std::filesystem::path& folder, const Installed& model);

// All models on this machine, the own store's first, sorted by name. A folder that is no model (being written, broken)
// is left out; `problems`, if not null, says why, a line each. Throws nothing for caches that are not there.
std::vector<Installed> installed(std::vector<std::string>* problems = nullptr);

// The model of that name, the own store's before others'; where there is none, one whose name spells the same two languages in
// another way ("firefox:de_en"). Nullopt: not on this machine, or its metadata is broken, which is
// logged; it can be downloaded again. Throws unsupported for metadata of a newer format.
std::optional<Installed> find_installed(std::string_view name);

// The first file of an own model that is not there or has another size, as a sentence; "": none. Reads no file.
std::string what_is_missing(const Installed& model);

// What a caller gave as a model: a path stays as it is; a name becomes the path of the model. Throws io_error for a
// name that is not on this machine, with the command that brings it.
std::filesystem::path path_of_model(std::string_view given);

}  // namespace dragoman::store
