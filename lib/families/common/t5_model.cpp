// SPDX-License-Identifier: Apache-2.0
#include "families/common/t5_model.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "formats/sentencepiece_model.h"

namespace dragoman::families {
namespace {

using Kind = formats::SentencePieceModel::Kind;

constexpr std::string_view kSentinel = "<extra_id_0>";
// T5's own vocabulary has words of its tasks, and 32128 rows; mT5's has these words, too, and 250112 rows.
constexpr std::string_view kT5Words[] = {"\u2581English", "\u2581German"};
constexpr std::size_t kMostT5Tokens = 33000;
constexpr std::string_view kMarkBegin = "<2", kMarkEnd = ">";

// Turns "<2zh_Hant>" into "zh_Hant"; "": the token names no language ("<2translate>").
std::string code_of(std::string_view token) {
    if (!token.starts_with(kMarkBegin) || !token.ends_with(kMarkEnd) || token.size() <= 3) return {};
    const std::string code(token.substr(2, token.size() - 3));
    const auto tag = spec::LanguageTag::find(code);
    return tag && tag->known() ? code : std::string();
}

bool is_added(const std::vector<formats::AddedToken>& added, std::string_view text) {
    return std::ranges::any_of(added, [&](const formats::AddedToken& token) { return token.text == text; });
}

// A code that no text contains is put before its pieces; any other one is a word of the text.
spec::PromptPattern marks(const std::string& code, const std::vector<formats::AddedToken>& added,
                          const spec::ModelSpec& spec) {
    const std::string token = std::string(kMarkBegin) + code + std::string(kMarkEnd);
    const auto pieces = formats::sentencepiece_pieces(spec.source.sentencepiece);
    const auto at = std::size_t(std::ranges::find(pieces.texts, token) - pieces.texts.begin());
    const bool in_text = at < pieces.texts.size() && !pieces.control[at] && !is_added(added, token);
    const std::string pattern = std::string(kMarkBegin) + "{to}" + std::string(kMarkEnd);
    if (in_text) return {.text_before = pattern + " "};
    return {.source_before = {pattern}};
}

// The names of a task's languages, as placeholders.
std::string pattern_of(const T5Task& task) {
    std::string text = task.prefix;
    for (const auto& [code, placeholder] : {std::pair{task.from, "{from_name}"}, std::pair{task.to, "{to_name}"}}) {
        const std::string name = spec::Language(code).tag.language_name();
        if (const auto at = text.find(name); at != std::string::npos) text.replace(at, name.size(), placeholder);
    }
    return text;
}

void add_language(std::vector<std::string>& list, const std::string& code) {
    if (std::ranges::find(list, code) == list.end()) list.push_back(code);
}

}  // namespace

spec::StackConfig t5_stack(bool decoder) {
    return {.pre_norm = true,
            .final_norm = true,
            .rms_norm = true,
            .positions = spec::Positions::none,
            .norm_epsilon = 1e-6f,
            .attention_scale = 1.0f,
            .cross_attention_scale = decoder ? 1.0f : 0.0f};
}

void check_t5_bias(const std::string& file, const spec::TransformerConfig& config) {
    for (const auto& [stack, exact_part] : {std::pair{&config.encoder, 4u}, std::pair{&config.decoder, 2u}}) {
        const uint32_t exact = stack->relative_buckets / exact_part;
        if (exact < 1 || stack->relative_max_distance <= exact)
            fail(Status::bad_model,
                 "{}: relative attention: expected at least 4 buckets and a distance above {}, file has {} and {}",
                 file, exact, stack->relative_buckets, stack->relative_max_distance);
    }
}

void set_t5_vocabulary(const FileBytes& sentencepiece, std::vector<formats::AddedToken> added, uint32_t rows,
                       spec::ModelSpec& spec) {
    auto [texts, control, unknown] = formats::sentencepiece_pieces(sentencepiece);
    const auto own = uint32_t(texts.size());
    std::ranges::sort(added, {}, &formats::AddedToken::id);
    const auto past = std::ranges::lower_bound(added, rows, {}, &formats::AddedToken::id);
    if (past != added.end()) {
        log(LogLevel::warning,
            "{}: {} added tokens have no row in the embedding and are left out: the first is \"{}\", "
            "id {}, vocab_size is {}",
            sentencepiece.name, added.end() - past, past->text, past->id, rows);
        added.erase(past, added.end());
    }
    while (texts.size() > rows &&
           (control.back() || texts.back() == formats::unused_token(uint32_t(texts.size() - 1)))) {
        texts.pop_back();
        control.pop_back();
    }
    if (texts.size() > rows)
        fail(Status::bad_model, "{}: expected at most {} tokens (rows of the embedding), file has {}",
             sentencepiece.name, rows, own);
    if (unknown >= texts.size())
        fail(Status::bad_model, "{}: expected the unknown token among {} rows of the embedding, its id is {}",
             sentencepiece.name, rows, unknown);
    spec.unk_token = texts[unknown];
    std::vector<formats::SentencePieceModel::Piece> more;
    auto next = added.begin();
    std::set<std::string> known(texts.begin(), texts.end());
    for (uint32_t id = own; id < rows; ++id) {
        while (next != added.end() && next->id < id) ++next;
        const bool there = next != added.end() && next->id == id;
        const bool named = there && known.insert(next->text).second;
        if (there && !named)
            log(LogLevel::warning, "{}: \"{}\" is there already, and its added id {} is left out", sentencepiece.name,
                next->text, id);
        more.push_back({.text = named ? next->text : formats::unused_token(id),
                        .kind = named && !next->special ? Kind::user_defined : Kind::control});
        texts.push_back(more.back().text);
    }
    spec.source = {.tokens = std::move(texts), .sentencepiece = formats::with_pieces(sentencepiece, more)};
    spec.target = spec.source;
    spec.shared_vocabulary = true;
}

std::vector<formats::AddedToken> t5_sentinels(uint32_t pieces, uint32_t count, uint32_t rows) {
    std::vector<formats::AddedToken> added;
    if (count > rows || pieces > rows - count) return added;
    for (uint32_t i = 0; i < count; ++i)
        added.push_back({.text = fmt::format("<extra_id_{}>", count - 1 - i), .id = pieces + i, .special = true});
    return added;
}

std::vector<T5Task> usual_t5_tasks(std::span<const std::string> tokens) {
    std::vector<T5Task> tasks;
    const auto lacks = [&](std::string_view token) { return std::ranges::find(tokens, token) == tokens.end(); };
    if (tokens.size() > kMostT5Tokens || std::ranges::any_of(kT5Words, lacks)) return tasks;
    for (const char* from : {"en", "de", "fr", "ro"})
        for (const char* to : {"de", "fr", "ro", "en"})
            if (std::string_view(from) != to)
                tasks.push_back({from, to,
                                 fmt::format("translate {} to {}: ", spec::Language(from).tag.language_name(),
                                             spec::Language(to).tag.language_name())});
    return tasks;
}

void complete_t5_texts(spec::ModelSpec& spec) {
    if (spec.source.sentencepiece.empty() || spec.target.sentencepiece.empty()) return;
    const auto pieces = formats::sentencepiece_pieces(spec.target.sentencepiece).texts;
    std::set<std::string, std::less<>> known(pieces.begin(), pieces.end());
    const bool own_sentinels = !known.contains(kSentinel);
    std::vector<formats::SentencePieceModel::Piece> more;
    for (const std::string& token : spec.target.tokens)
        if (token.starts_with('<') && token.ends_with('>') && known.insert(token).second)
            more.push_back({.text = token, .kind = Kind::control});
    const bool shared = spec.source.sentencepiece.bytes.data() == spec.target.sentencepiece.bytes.data();
    spec.target.sentencepiece = formats::with_pieces(spec.target.sentencepiece, more);
    if (shared) spec.source.sentencepiece = spec.target.sentencepiece;
    const bool sentinels = own_sentinels && known.contains(kSentinel);
    set_t5_prompts(sentinels ? usual_t5_tasks(spec.source.tokens) : std::vector<T5Task>(), {}, spec);
}

void set_t5_prompts(const std::vector<T5Task>& tasks, const std::vector<formats::AddedToken>& added,
                    spec::ModelSpec& spec) {
    spec::PromptPattern& pattern = spec.prompts.pattern;
    for (const std::string& token : spec.source.tokens)
        if (const std::string code = code_of(token); !code.empty()) spec.target_languages.push_back(code);
    if (!spec.target_languages.empty()) {
        if (!spec.source.sentencepiece.empty()) pattern = marks(spec.target_languages.front(), added, spec);
        else pattern.source_before = {"<2{to}>"};
    } else if (!tasks.empty()) {
        pattern.text_before = pattern_of(tasks.front());
        for (const T5Task& task : tasks) {
            const spec::Language from(task.from), to(task.to);
            if (pattern.make(&from, &to).text_before != task.prefix) {
                log(LogLevel::warning, "task {} to {}: its words are not those of the others: \"{}\"", task.from,
                    task.to, task.prefix);
                continue;
            }
            add_language(spec.source_languages, task.from);
            add_language(spec.target_languages, task.to);
        }
    }
    pattern.plain_without = spec.source_languages.size() != 1 || spec.target_languages.size() != 1;
    pattern.source_after = {spec.eos_token};
}

}  // namespace dragoman::families
