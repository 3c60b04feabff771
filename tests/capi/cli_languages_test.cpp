// SPDX-License-Identifier: Apache-2.0
// Languages on the command line: none where one is needed, and their names.
#include <doctest/doctest.h>

#include "tool_run.h"

namespace cli_languages_test {

using namespace dragoman::test;

namespace {

const std::string kCodes = DRAGOMAN_TEST_DATA "/huggingface/shared";  // ">>xx<<" and ">>yy<<"
const std::string kShipped = DRAGOMAN_SOURCE "/models/en-de";
const std::string kMany = DRAGOMAN_TEST_DATA "/huggingface/m2m100";

Run tool(const std::string& command, const std::string& model, std::vector<std::string> arguments,
         const std::string& input = "") {
    std::vector<std::string> all = {command, "--model", model};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(DRAGOMAN_CLI, all, input);
}

}  // namespace

TEST_CASE("a model for several languages asks for one, and names them") {
    const std::string missing = "--to: expected one of the model's 2 languages, none was given: xx, yy";
    check_refused(tool("translate", kCodes, {"batin kétiß!"}), missing);
    check_refused(tool("translate", kCodes, {}, "batin kétiß!\n"), missing);
    check_refused(tool("translate", kCodes, {"--from", "xx", "batin kétiß!"}), missing);
    check_refused(tool("score", kCodes, {}, "batin kétiß!\tGasa!\n"), missing);
    check_refused(tool("translate", kMany, {"--from", "en", "a"}), "--to: expected one of the model's 100 languages");
    check_refused(tool("translate", kMany, {"--from", "en", "a"}), "af (Afrikaans), am (Amharic)");
    check_refused(tool("translate", kMany, {"--to", "de", "a"}), "--from: expected one of the model's 100 languages");
    for (const char* option : {"--to", "--from"})
        for (const char* command : {"translate", "score"})
            check_refused(tool(command, kCodes, {option, ""}, "batin kétiß!\n"), "expected a language, got an empty");
}

TEST_CASE("a text that names its language needs no option, nor do those after it") {
    const std::string said = output(tool("translate", kCodes, {"--to", "yy", "batin kétiß! kénara."}));
    CHECK(output(tool("translate", kCodes, {">>yy<< batin kétiß! kénara."})) == said);
    const std::string english =
        output(tool("translate", kShipped, {"--to", "en", "Wo ist der Bahnhof? Ich wohne hier."}));
    CHECK(output(tool("translate", kShipped, {"--from", "auto", ">>en<< Wo ist der Bahnhof? Ich wohne hier."})) ==
          english);
    const Run mixed = tool("translate", kCodes, {}, ">>yy<< batin kétiß! kénara.\nkénara\n");
    CHECK(mixed.exit_code == 1);
    CHECK(mixed.out == said);
    CHECK_MESSAGE(mixed.err.find("line 2: --to: expected one of") != std::string::npos, mixed.err);
}

TEST_CASE("a text that is in the language already is said, where nobody has named another one") {
    const std::string german = "Wo ist der Bahnhof? Ich wohne seit vielen Jahren hier.\n",
                      said = "seems to be German already";
    const auto says = [&](std::vector<std::string> arguments, const std::string& text) {
        return tool("translate", kShipped, std::move(arguments), text).err.find(said) != std::string::npos;
    };
    CHECK(says({"--to", "de"}, german));
    CHECK_FALSE(says({"--to", "de", "--from", "auto"}, german));
    CHECK_FALSE(says({"--to", "en"}, german));
    CHECK_FALSE(says({"--to", "de"}, "Where is the station? I have lived here for many years.\n"));
}

TEST_CASE("languages have names") {
    const auto translate = [](const char* to, const char* text) {
        return output(tool("translate", kShipped, {"--to", to, text}));
    };
    const char *german = "Wo ist der Bahnhof?", *english = "Where is the station?";
    CHECK(translate("en", german) != translate("de", german));
    CHECK(translate("English", german) == translate("en", german));
    for (const char* name : {"german", "Deutsch", "DEUTSCH"})
        CHECK(translate(name, english) == translate("de", english));
    const std::string named =
        output(tool("translate", kMany, {"--from", "English", "--to", "français", "--json", "stan."}));
    CHECK(named.find("__en__") != std::string::npos);
    CHECK(named == output(tool("translate", kMany, {"--from", "en", "--to", "fr", "--json", "stan."})));
    check_refused(tool("translate", kMany, {"--from", "en", "--to", "klingonisch", "a"}), "--to: \"klingonisch\"");
}

}  // namespace cli_languages_test
