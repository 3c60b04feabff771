// SPDX-License-Identifier: Apache-2.0
#include "serve/api/openai/languages.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "serve/ascii.h"
#include "serve/work/language_codes.h"

namespace serve::api {
namespace {

struct OpenaiWord {
    std::string text;       // as it stands there
    std::string small;
    std::size_t begin = 0, end = 0;
    bool marked = false;    // in quotes or brackets, or behind a colon
};

enum class OpenaiRole { none, source, target };

struct OpenaiMention {
    std::string given, tag;  // tag: empty where it is not served
    OpenaiRole role = OpenaiRole::none;
    int strength = 0;        // of what says the role
    std::size_t end = 0;
};

bool is_openai_letter(unsigned char c) {
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_openai_mark(char c) { return std::string_view("'\"`([{<*").find(c) != std::string_view::npos; }

std::vector<OpenaiWord> openai_words(std::string_view prompt) {
    std::vector<OpenaiWord> words;
    for (std::size_t i = 0; i < prompt.size();) {
        if (!is_openai_letter(static_cast<unsigned char>(prompt[i]))) {
            ++i;
            continue;
        }
        std::size_t end = i;
        const auto inside = [&](std::size_t at) {
            return is_openai_letter(static_cast<unsigned char>(prompt[at])) ||
                   (prompt[at] == '-' && at + 1 < prompt.size() &&
                    is_openai_letter(static_cast<unsigned char>(prompt[at + 1])));
        };
        while (end < prompt.size() && inside(end)) ++end;
        OpenaiWord word{std::string(prompt.substr(i, end - i)), "", i, end, false};
        word.small = in_small_letters(word.text);
        const std::size_t before = prompt.substr(0, i).find_last_not_of(' ');
        word.marked = (i > 0 && is_openai_mark(prompt[i - 1])) ||
                      (before != std::string_view::npos && prompt[before] == ':');
        words.push_back(std::move(word));
        i = end;
    }
    return words;
}

// Words of two letters that are codes, too ("is", "it", "no"), count where they are marked or between "from" and "to".
bool may_be_code(const std::vector<OpenaiWord>& words, std::size_t at, bool behind_mention) {
    const OpenaiWord& word = words[at];
    if (word.text.size() < 2 || word.text.size() > 11) return false;
    if (word.marked) return true;
    const std::string before = at > 0 ? words[at - 1].small : "";
    const std::string after = at + 1 < words.size() ? words[at + 1].small : "";
    if (before == "from" && (after == "to" || after == "into")) return true;
    return behind_mention && (before == "to" || before == "into");
}

struct OpenaiFound {
    std::string tag;      // may be empty: not served
    std::size_t words = 0;
};

OpenaiFound language_at(const work::Models& models, const std::vector<OpenaiWord>& words, std::size_t at,
                        bool behind_mention) {
    const auto name = [&](const std::string& text) -> std::optional<std::string> {
        if (text.size() < 4 || text.find_first_of("-_") != std::string::npos) return {};
        std::string tag = models.language(text);
        if (!tag.empty()) return tag;
        if (work::LanguageCode::read(text) && text[0] >= 'A' && text[0] <= 'Z') return "";
        return {};
    };
    if (at + 1 < words.size() && words[at + 1].begin <= words[at].end + 2) {
        const std::string &first = words[at].text, &second = words[at + 1].text;
        for (const std::string& both : {first + " (" + second + ")", first + " " + second})
            if (const auto tag = name(both); tag && !tag->empty()) return {*tag, 2};
    }
    if (const auto tag = name(words[at].text)) return {*tag, 1};
    if (!may_be_code(words, at, behind_mention)) return {};
    std::string tag = models.language(words[at].text);
    const bool is_code = !tag.empty() || work::LanguageCode::read(words[at].text).has_value();
    return is_code ? OpenaiFound{std::move(tag), 1} : OpenaiFound{};
}

// What the nearest of the words before a language says of it, as far as the language before it.
void find_role(const std::vector<OpenaiWord>& words, std::size_t at, std::size_t earliest, OpenaiMention& mention) {
    struct Keyword {
        std::string_view word;
        OpenaiRole role;
        int strength;
    };
    static constexpr std::array<Keyword, 12> keywords{{{"from", OpenaiRole::source, 2},
                                                       {"source", OpenaiRole::source, 3},
                                                       {"source_language", OpenaiRole::source, 3},
                                                       {"source_lang", OpenaiRole::source, 3},
                                                       {"src_lang", OpenaiRole::source, 3},
                                                       {"to", OpenaiRole::target, 2},
                                                       {"into", OpenaiRole::target, 2},
                                                       {"target", OpenaiRole::target, 3},
                                                       {"target_language", OpenaiRole::target, 3},
                                                       {"target_lang", OpenaiRole::target, 3},
                                                       {"tgt_lang", OpenaiRole::target, 3},
                                                       {"in", OpenaiRole::target, 1}}};
    const std::size_t first = std::max(earliest, at > 3 ? at - 3 : 0);
    for (std::size_t i = at; i-- > first;) {
        const auto found = std::ranges::find(keywords, std::string_view(words[i].small), &Keyword::word);
        if (found == keywords.end()) continue;
        mention.role = found->role;
        mention.strength = found->strength;
        return;
    }
}

std::vector<OpenaiMention> openai_mentions(const work::Models& models, const std::vector<OpenaiWord>& words) {
    std::vector<OpenaiMention> mentions;
    std::size_t earliest = 0;
    for (std::size_t at = 0; at < words.size();) {
        const bool behind = !mentions.empty() && earliest + 1 == at;
        const OpenaiFound found = language_at(models, words, at, behind);
        if (found.words == 0) {
            ++at;
            continue;
        }
        OpenaiMention mention{words[at].text, found.tag, OpenaiRole::none, 0, words[at + found.words - 1].end};
        find_role(words, at, earliest, mention);
        at += found.words;
        earliest = at;
        // A language that is not served is only one where a word says so: "Polish" is something else, too.
        if (!mention.tag.empty() || mention.strength >= 2) mentions.push_back(std::move(mention));
    }
    return mentions;
}

const OpenaiMention* strongest(const std::vector<OpenaiMention>& mentions, OpenaiRole role) {
    const OpenaiMention* best = nullptr;
    for (const OpenaiMention& mention : mentions)
        if (mention.role == role && (!best || mention.strength > best->strength)) best = &mention;
    return best;
}

}  // namespace

OpenaiLanguages openai_languages(const work::Models& models, std::string_view prompt) {
    const std::vector<OpenaiMention> mentions = openai_mentions(models, openai_words(prompt));
    const OpenaiMention* to = strongest(mentions, OpenaiRole::target);
    const OpenaiMention* from = strongest(mentions, OpenaiRole::source);
    // "English to German", "the text in English into German"
    for (const OpenaiMention& mention : mentions)
        if (to && !from && &mention < to && mention.strength < 2 && mention.tag != to->tag) from = &mention;
    OpenaiLanguages found;
    for (const OpenaiMention* mention : {from, to}) {
        if (!mention) continue;
        if (mention->tag.empty())
            throw Problem(Problem::Kind::unsupported_language, mention->given + " is not supported", mention->given);
        (mention == to ? found.to : found.from) = mention->tag;
        found.end = std::max(found.end, mention->end);
    }
    found.told = to && to->strength >= 2;
    return found;
}

}  // namespace serve::api
