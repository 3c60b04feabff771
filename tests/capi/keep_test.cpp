// SPDX-License-Identifier: Apache-2.0
// The key of translations that are kept: equal where they would be, and where they would not, it says why.
#include <doctest/doctest.h>

#include <dragoman/dragoman.hpp>

#include <filesystem>
#include <string>

#include "fixture.h"
#include "support/temp_dir.h"

namespace keep_test {

using namespace dragoman::test;

namespace {

const std::string kToy = DRAGOMAN_TEST_DATA "/huggingface/separate";

struct Keys {
    dragoman::Model model{kToy};
    dragoman::Translator translator{model};
    dragoman::TranslateOptions options;
    std::string own;

    std::string key(int tokens = 0) const {
        dragoman_text_list* list = nullptr;
        const dragoman_string more = dragoman::view(own);
        require_ok(dragoman_translation_key(translator.get(), &options, tokens, own.empty() ? nullptr : &more, nullptr,
                                            &list));
        dragoman_string text{};
        require_ok(dragoman_text_list_get(list, 0, &text));
        std::string key(dragoman::view(text));
        dragoman_text_list_destroy(list);
        return key;
    }
    // What is said of an earlier key.
    std::string said(const std::string& kept, int tokens = 0) const {
        dragoman_text_list* list = nullptr;
        const dragoman_string more = dragoman::view(own), old = dragoman::view(kept);
        const auto status = dragoman_translation_key(translator.get(), &options, tokens, own.empty() ? nullptr : &more,
                                                     &old, &list);
        CHECK((status == DRAGOMAN_OK) == (list != nullptr));
        dragoman_text_list_destroy(list);
        if (status == DRAGOMAN_OK) return "equal";
        CHECK(status == DRAGOMAN_INVALID_ARGUMENT);
        const std::string message = dragoman_last_error(), begin = "kept translations were made with other settings: ";
        CHECK(message.starts_with(begin));
        return message.substr(begin.size());
    }
};

}  // namespace

TEST_CASE("what differs is named") {
    Keys now;
    now.options.beam_size = 4;
    const std::string kept = now.key();
    CHECK(now.said(kept) == "equal");
    CHECK(now.translator.key(now.options) == kept);
    CHECK(Keys().said(Keys().key()) == "equal");
    now.options.beam_size = 3;
    CHECK(now.said(kept) == "beam_size: 4 then, 3 now");
    now.options.beam_size = 4;
    now.options.raw = 1;
    now.options.max_input_length = 7;
    CHECK(now.said(kept) == "max_input_length: 1024 then, 7 now; raw: false then, true now");
    now.options.raw = 0;
    now.options.max_input_length = 1024;
    now.options.max_batch_size = 3;  // changes no translation
    CHECK(now.said(kept) == "equal");
    now.own = "--json\ttrue\n";
    CHECK(now.said(kept) == "--json: not there then, true now");
    now.own.clear();
    CHECK(now.said(kept, 1).starts_with("inputs: texts then, tokens now"));
    CHECK(now.said("nonsense").find("beam_size: not there then, 4 now") != std::string::npos);
}

TEST_CASE("glossaries and segments count by what is in them") {
    Keys now;
    const std::string kept = now.key();
    const auto a = dragoman::Glossary::read("dog\tHund\n"), same = dragoman::Glossary::read("# note\ndog\tHund\n"),
               b = dragoman::Glossary::read("dog\tHunde\n");
    now.options.glossary = a.get();
    CHECK(now.said(kept) == "glossary: none then, one now");
    const std::string with = now.key();
    now.options.glossary = same.get();
    CHECK(now.said(with) == "equal");
    now.options.glossary = b.get();
    CHECK(now.said(with) == "glossary: another one");
    now.options.glossary = nullptr;

    dragoman_memory* memory = nullptr;
    require_ok(dragoman_memory_create(nullptr, &memory));
    now.options.memory = memory;
    CHECK(now.said(kept) == "equal");  // answers are what the model says in any case
    const std::string source = "dog", target = "Hund";
    const dragoman_string from = dragoman::view(source), to = dragoman::view(target);
    require_ok(dragoman_memory_add(memory, "en", "de", &from, &to));
    CHECK(now.said(kept) == "memory: none then, one now");
    now.options.memory = nullptr;
    dragoman_memory_destroy(memory);
}

TEST_CASE("another model is another one, wherever its files are") {
    const TempDir folder;
    std::filesystem::copy(kToy, folder.path() / "copy", std::filesystem::copy_options::recursive);
    const Keys here;
    const std::string kept = here.key();
    Keys there{.model = dragoman::Model(std::string(folder.path() / "copy"))};
    CHECK(there.said(kept) == "equal");
    const Keys other{.model = dragoman::Model(kModel)};
    CHECK(other.said(here.key(1), 1).find("model: another one") != std::string::npos);
}

TEST_CASE("what is wrong is said") {
    const Keys keys;
    dragoman_text_list* list = nullptr;
    dragoman_memory* memory = nullptr;
    check_error(dragoman_translation_key(nullptr, nullptr, 0, nullptr, nullptr, &list), DRAGOMAN_INVALID_ARGUMENT,
                {"translator"});
    check_error(dragoman_translation_key(keys.translator.get(), nullptr, 2, nullptr, nullptr, &list),
                DRAGOMAN_INVALID_ARGUMENT, {"tokens: expected 0 or 1, got 2"});
    check_error(dragoman_translation_key(keys.translator.get(), nullptr, 0, nullptr, nullptr, nullptr),
                DRAGOMAN_INVALID_ARGUMENT, {"key"});
    const dragoman_string key = dragoman_str("model\t#1\n");
    check_error(dragoman_keep_answers(nullptr, &key, 0, nullptr, &memory), DRAGOMAN_INVALID_ARGUMENT, {"path"});
    check_error(dragoman_keep_answers("x", nullptr, 0, nullptr, &memory), DRAGOMAN_INVALID_ARGUMENT, {"key"});
    check_error(dragoman_keep_answers("/no/such/folder/x", &key, 0, nullptr, &memory), DRAGOMAN_IO_ERROR,
                {"/no/such/folder/x"});
}

}  // namespace keep_test
