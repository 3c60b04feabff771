// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dragoman::registry {

enum class Packing { none, file, archive };  // as it is; one .gz or .zst file; a zip or tar archive

// A file of a published model.
struct RemoteFile {
    std::string url;
    std::string name;             // in the model's folder; of an archive: the file of the download
    Packing packing = Packing::none;
    uint64_t bytes = 0;           // transferred; 0: the registry does not say
    uint64_t unpacked_bytes = 0;  // likewise
    std::string sha256;           // of the transferred bytes; "": the registry has none
    std::string unpacked_sha256;  // likewise
    std::string git_sha1;         // git's hash of a blob, where the registry has only that
};

// A model that a registry offers. Its files need access_token(registry) of access_token.h as Request::token, and `gate`
// as Request::where_to_accept.
struct Entry {
    std::string registry;  // "firefox"
    std::string model;  // "de-en": unique in the registry
    std::vector<std::string> from, to;  // BCP 47; several for models of many languages; empty: the model itself says
    std::string title;  // for people; may be empty
    std::string publisher, license;  // license "": not stated
    std::string version, architecture;  // as the registry spells them
    double quality = 0;  // 0: the registry has none
    std::string metric;  // "comet22", "chrf", "bleu"
    std::vector<RemoteFile> files;  // empty: known only after resolve() (Hugging Face, url:)
    std::string gate;  // where a licence must be accepted first; ""
    uint64_t bytes() const;  // to transfer; 0: not known of all
    std::string name() const { return registry + ":" + model; }
};

}  // namespace dragoman::registry
