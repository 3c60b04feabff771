// SPDX-License-Identifier: Apache-2.0
#include "show.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "base/os/path_text.h"
#include "first_use.h"
#include "loaded.h"
#include "option_flags.h"
#include "show_page.h"
#include "show_sentence.h"
#include "written.h"

namespace cli {
namespace {

constexpr std::size_t kAtATime = 256;
constexpr uint32_t kAlternatives = 4;

// The page with {{names}} replaced, in one go: what is put in is not looked at again.
std::string fill(std::string_view page, const std::function<std::string(std::string_view)>& value) {
    std::string filled;
    for (;;) {
        const std::size_t begin = page.find("{{"), end = page.find("}}", begin);
        if (begin == std::string_view::npos || end == std::string_view::npos) return filled += page;
        filled += page.substr(0, begin);
        filled += value(page.substr(begin + 2, end - begin - 2));
        page.remove_prefix(end + 2);
    }
}

const dragoman::Language* language_of(const std::vector<dragoman::Language>& languages, const std::string& wanted) {
    if (wanted.empty()) return languages.size() == 1 ? &languages.front() : nullptr;
    const auto found = std::ranges::find_if(languages, [&](const dragoman::Language& l) {
        return l.tag == wanted || l.code == wanted;
    });
    return found == languages.end() ? nullptr : &*found;
}

class ResultPage {
public:
    explicit ResultPage(TranslateCommand& command) : command_(command) {
        const bool is_route = !command.route.empty();
        dragoman::Description model{};
        if (!is_route) model = dragoman::describe(command.machine.path());
        const auto name = [](const std::string& wanted, const std::vector<dragoman::Language>& of_model,
                             std::string& tag) {
            tag = wanted == "auto" ? "" : wanted;
            const dragoman::Language* language = language_of(of_model, tag);
            if (language) tag = language->tag;
            return language && !language->name.empty() ? language->name : tag;
        };
        from_name_ = name(command.from, model.sources, from_);
        to_name_ = name(command.to, model.targets, to_);
        if (is_route) return;
        const std::filesystem::path path = dragoman::path_of(model.info.path);
        model_ = dragoman::text_of(path.has_filename() ? path.filename() : path.parent_path().filename());
    }

    void add(const std::string& text, const dragoman::Result& result, std::size_t input) {
        ++texts_;
        const std::string_view plain = result.plain_source(input);
        const ShownText shown{.result = result,
                              .input = input,
                              .source = plain.empty() ? std::string_view(text) : plain,
                              .source_language = from_,
                              .target_language = to_};
        const std::size_t count = result.sentences(input);
        sentences_ += count;
        if (count == 0) return;
        html_ += fmt::format("<section aria-label=\"Text {0}\">\n<h2>Text {0} <span>quality {1:.2f}</span></h2>\n",
                             texts_, result.quality(input));
        for (std::size_t s = 0; s < count; ++s) html_ += show_sentence(shown, s);
        html_ += "</section>\n";
    }

    std::string html() const {
        const std::string_view page(reinterpret_cast<const char*>(kShowPage.data()), kShowPage.size());
        return fill(page, [this](std::string_view name) {
            if (name == "title") return escaped_html(title());
            if (name == "summary") return escaped_html(summary());
            if (name == "generator") return std::string("Dragoman ") + dragoman_version_string();
            return html_.empty() ? std::string("<p>No text had a sentence to translate.</p>") : html_;
        });
    }

private:
    std::string title() const {
        std::string title = "Translation";
        if (!from_name_.empty()) title += " from " + from_name_;
        if (!to_name_.empty()) title += " to " + to_name_;
        return title;
    }
    std::string summary() const {
        std::string text = fmt::format("{} text{}, {} sentence{}", texts_, texts_ == 1 ? "" : "s", sentences_,
                                       sentences_ == 1 ? "" : "s");
        if (!model_.empty()) text += "; model " + model_;
        return text + "; Dragoman " + dragoman_version_string();
    }

    const TranslateCommand& command_;
    std::string from_, to_, from_name_, to_name_, model_, html_;
    std::size_t texts_ = 0, sentences_ = 0;
};

// What the page shows. Without a wish for a number of translations there are a few, if the beam has room for them.
bool ask_for_all(dragoman::TranslateOptions& options) {
    options.return_alignment = options.return_quality = options.return_coverage = 1;
    const dragoman::TranslateOptions defaults;
    const bool chosen = options.num_hypotheses == defaults.num_hypotheses && options.sampling == defaults.sampling &&
                        options.max_uncovered_words == defaults.max_uncovered_words;
    if (chosen) options.num_hypotheses = kAlternatives;
    return chosen;
}

dragoman::Result translated(dragoman::Translator& translator, const std::vector<std::string>& texts,
                            dragoman::TranslateOptions& options, bool& may_have_fewer) {
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    try {
        return translator.translate(views, options);
    } catch (const dragoman::Error& error) {
        // The beam, which may be the model's own, is narrower.
        if (!may_have_fewer || error.status() != DRAGOMAN_INVALID_ARGUMENT) throw;
    }
    may_have_fewer = false;
    options.num_hypotheses = 1;
    return translator.translate(views, options);
}

}  // namespace

std::unique_ptr<Inputs> inputs_of(TranslateCommand& command) {
    if (!command.texts.empty()) return std::make_unique<Inputs>(std::move(command.texts));
    const bool whole = command.options.markup != DRAGOMAN_MARKUP_NONE;
    return std::make_unique<Inputs>(command.input, whole                        ? Inputs::Unit::whole
                                                   : command.options.join_lines ? Inputs::Unit::paragraph
                                                                                : Inputs::Unit::line);
}

void add_show(CLI::App* translate, TranslateCommand& command) {
    expect_file(translate->add_option(
                    "--show", command.show,
                    "HTML page to write besides: words that belong together, how sure each is, what was left out,\n"
                    "and alternatives where the beam has some"))
        ->type_name("FILE")
        ->excludes("--tokens")
        ->excludes("--json")
        ->excludes("--output")
        ->excludes("--document")
        ->excludes("--resume")
        ->group("Input and output");
}

void show(TranslateCommand& command) {
    if (!command.prefix.empty()) throw Failure("--prefix: expected none with --show, got \"" + command.prefix + "\"");
    const bool is_whole = command.texts.empty() && command.options.markup != DRAGOMAN_MARKUP_NONE;
    const auto inputs = inputs_of(command);
    bool chosen = ask_for_all(command.options);
    const FirstUse first_use(true);
    Loaded loaded(command);
    ResultPage page(command);
    std::vector<std::string> texts;
    for (bool more = true; more;) {
        texts.clear();
        try {
            for (std::string text; texts.size() < kAtATime && (more = inputs->next(text));) texts.push_back(text);
        } catch (const BadInput& bad) {
            throw Failure(bad.what());
        }
        const dragoman::Result result = translated(loaded.translator(), texts, command.options, chosen);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            fmt::print("{}{}", result.text(i), is_whole ? "" : "\n");
            page.add(texts[i], result, i);
        }
    }
    loaded.end();
    write_file(command.show, page.html());
}

}  // namespace cli
