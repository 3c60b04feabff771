// SPDX-License-Identifier: Apache-2.0
#include "formats/sentencepiece_pair.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/os/path_text.h"
#include "formats/sentencepiece_model.h"
#include "formats/vocabulary_files.h"
#include "spec/language_pairs.h"
#include "spec/language_tag.h"

namespace dragoman::formats {
namespace {

using spec::LanguageTag;
using Tokens = std::span<const std::string>;
using Order = std::optional<std::pair<std::size_t, std::size_t>>;  // places of source and target among two files

Order decide(bool straight, bool crossed) {
    if (straight == crossed) return std::nullopt;
    return straight ? std::pair<std::size_t, std::size_t>(0, 1) : std::pair<std::size_t, std::size_t>(1, 0);
}

std::vector<std::string> sentencepiece_models(const FileSet& files) {
    std::vector<std::string> found;
    for (const std::string& name : files.names()) {
        const bool named = name.ends_with(".spm") || name.ends_with(".model");
        if (named && name.find('/') == std::string::npos && looks_like_sentencepiece(files.beginning(name).text()))
            found.push_back(name);
    }
    return found;
}

Order by_pieces(const FileSet& files, const std::vector<std::string>& names, const KnownSides& sides) {
    if (sides.source_tokens.empty() || sides.target_tokens.empty()) return std::nullopt;
    const auto first = sentencepiece_pieces(files.read(names[0])), second = sentencepiece_pieces(files.read(names[1]));
    const auto fit = [&](const SentencePiecePieces& source, const SentencePiecePieces& target) {
        constexpr double kLeast = 0.5;  // less: another model's
        const double from = share_of_pieces(source, sides.source_tokens),
                     to = share_of_pieces(target, sides.target_tokens);
        return from >= kLeast && to >= kLeast ? from + to : 0.0;
    };
    const double straight = fit(first, second), crossed = fit(second, first);
    return decide(straight > crossed, crossed > straight);
}

// The language that a file is called after: "en.model", "spm.en.model".
std::optional<LanguageTag> language_of(std::string_view name) {
    std::string_view stem = name.substr(0, name.rfind('.'));
    if (const auto dot = stem.rfind('.'); dot != stem.npos) stem.remove_prefix(dot + 1);
    return LanguageTag::find(stem);
}

bool has(Tokens languages, const LanguageTag& wanted) {
    return std::ranges::any_of(languages, [&](const std::string& language) {
        const auto tag = LanguageTag::find(language);
        return tag && spec::same_language(*tag, wanted);
    });
}

Order by_languages(const LanguageTag& first, const LanguageTag& second, const KnownSides& sides) {
    const auto fits = [&](const LanguageTag& source, const LanguageTag& target) {
        const bool from = has(sides.source_languages, source), to = has(sides.target_languages, target);
        return (from || sides.source_languages.empty()) && (to || sides.target_languages.empty()) && (from || to);
    };
    return decide(fits(first, second), fits(second, first));
}

// The pair at the end of the folder's name.
Order by_folder(const LanguageTag& first, const LanguageTag& second, std::string_view folder) {
    bool straight = false, crossed = false;
    for (std::size_t at = 0; at < folder.size(); at = std::min(folder.find_first_of("-_.", at), folder.size() - 1) + 1)
        for (const auto& [source, target] : spec::language_pairs_in(folder.substr(at))) {
            straight |= spec::same_language(source, first) && spec::same_language(target, second);
            crossed |= spec::same_language(source, second) && spec::same_language(target, first);
        }
    return decide(straight, crossed);
}

Order order_of(const FileSet& files, const std::vector<std::string>& names, const KnownSides& sides) {
    if (const Order order = by_pieces(files, names, sides)) return order;
    const auto first = language_of(names[0]), second = language_of(names[1]);
    if (!first || !second) return std::nullopt;
    const bool said = !sides.source_languages.empty() || !sides.target_languages.empty();
    return said ? by_languages(*first, *second, sides)
                : by_folder(*first, *second, text_of(files.folder_path().filename()));
}

}  // namespace

double share_of_pieces(const SentencePiecePieces& pieces, std::span<const std::string> tokens) {
    const std::unordered_set<std::string_view> known(tokens.begin(), tokens.end());
    std::size_t own = 0, all = 0;
    for (std::size_t id = 0; id < pieces.texts.size(); ++id) {
        if (pieces.control[id] || id == pieces.unknown) continue;
        ++all;
        own += known.contains(pieces.texts[id]);
    }
    return all > 0 ? double(own) / double(all) : 0.0;
}

std::optional<SentencePiecePair> find_sentencepiece_pair(const FileSet& files, const KnownSides& sides) {
    const std::vector<std::string> names = sentencepiece_models(files);
    if (names.size() != 2) return std::nullopt;
    const Order order = order_of(files, names, sides);
    if (!order) return std::nullopt;
    return SentencePiecePair{names[order->first], names[order->second]};
}

}  // namespace dragoman::formats
