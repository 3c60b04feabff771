// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::model {

// A vocabulary as text, one token per line, or as a JSON array of strings (chosen by the extension). Line ends may
// be CR LF if all of them are. Throws io_error, and bad_model for text that is not UTF-8.
std::vector<std::string> read_vocabulary(const std::filesystem::path& file);

// `stem`.json or `stem`.txt in a directory, in that order.
std::optional<std::filesystem::path> find_vocabulary(const std::filesystem::path& directory, std::string_view stem);

// The SentencePiece model of one side ("source" or "target") in a directory, or an empty path: SIDE.spm, else a
// model under one of the usual shared names, else the only *.spm file there.
std::filesystem::path find_sentencepiece(const std::filesystem::path& directory, std::string_view side);

}  // namespace dragoman::model
