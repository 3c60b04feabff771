# SPDX-License-Identifier: Apache-2.0
"""What Azure Translator's clients ask at paths that others have, too: told apart by api-version."""
from schema import any_of, array, boolean, choice, integer, mapping, number, query, record, ref, string

VERSION = query("api-version", string("Only Azure's requests have it: 3.0, or a day such as 2026-06-06"))
TRANSLATE = [
    VERSION, query("to", array(string(), "Of Azure 3.0; may repeat")), query("from", string("Of Azure 3.0; none: found")),
    query("suggestedFrom", string("Of Azure 3.0: where nothing tells the language")),
    query("textType", choice("plain", "html", default="plain", description="Of Azure 3.0")),
    query("category", string("Of Azure 3.0: another system than general is refused without allowFallback")),
    query("allowFallback", boolean("Of Azure 3.0", default=True)),
    query("profanityAction", choice("NoAction", description="Of Azure 3.0")),
    query("includeAlignment", boolean("Of Azure 3.0; nothing is known of HTML", default=False)),
    query("includeSentenceLength", boolean("Of Azure 3.0; none come of HTML", default=False))]
LANGUAGES = [VERSION, query("scope", string("Of Azure: translation, transliteration, dictionary or models, with commas"))]

TEXTS = array(record({"Text": string()}, "Text"))
FOUND = ref("AzureDetected")
TARGET = record({"language": string(), "deploymentName": string("general"), "allowFallback": boolean(default=True),
                 "profanityAction": choice("NoAction")}, "language")
TRANSLATION = record({
    "text": string(), "to": string("As it was asked for"),
    "alignment": record({"proj": string("0:4-0:3 6:10-5:7: first and last places of words, in UTF-16")}, "proj"),
    "sentLen": record({"srcSentLen": array(integer()), "transSentLen": array(integer())}, "srcSentLen transSentLen")},
    "text to")
DATED = record({"text": string(), "language": string("As it was asked for"), "sourceCharacters": integer()},
               "text language sourceCharacters")

# Of POST /translate: what is asked, and what is answered.
SHAPES = {
    "Azure": (TEXTS, array(record({"detectedLanguage": FOUND, "translations": array(TRANSLATION)}, "translations"))),
    "AzureDated": (record({"inputs": array(record({
        "text": string(), "language": string("None: found"), "textType": choice("plain", "html", default="plain"),
        "targets": array(TARGET)}, "text targets"))}, "inputs"),
        record({"value": array(record({"detectedLanguage": FOUND, "translations": array(DATED)}, "translations"))},
               "value")),
}
GUESS = {"language": string("und: nothing tells it"), "score": number("0 to 1"), "isTranslationSupported": boolean(),
         "isTransliterationSupported": boolean()}
NAMES = " ".join(GUESS)
SCHEMAS = {
    "AzureDetected": record({"language": string(), "score": number("0 to 1")}, "language score"),
    "AzureGuesses": array(record({**GUESS, "alternatives": array(record(GUESS, NAMES))}, NAMES)),
    "AzureLanguages": record({
        "translation": mapping(record({"name": string(), "nativeName": string("English, too"), "dir": choice("ltr", "rtl"),
                                       "models": array(string())}, "name nativeName dir")),
        "transliteration": mapping(record({})), "dictionary": mapping(record({})), "models": array(string())}),
}
FAULT = record({"error": record({"code": integer("The status, and three digits more"), "message": string()},
                                "code message")}, "error")


def or_list(other):
    return any_of(other, ref("AzureLanguages"))
