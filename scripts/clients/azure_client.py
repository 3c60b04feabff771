#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""azure-ai-translation-text, of Azure's version 3.0 or a later one, against a running service: azure_client.py URL"""
import importlib.metadata

from azure.ai.translation.text import TextTranslationClient
from azure.core.credentials import AzureKeyCredential

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

version = importlib.metadata.version("azure-ai-translation-text")
dated = int(version.partition(".")[0]) > 1  # from 2.0 on a request says for each text what is to become of it
if dated:
    from azure.ai.translation.text.models import TranslateInputItem, TranslationTarget

checks = Checks("azure-ai-translation-text", version)
key = {"credential": AzureKeyCredential("none")}
client = TextTranslationClient(endpoint=url_argument(), **key)


def translated(texts, to, source=None, html=False):
    """Answers to texts, each with its translations to all languages of `to`."""
    if not dated:
        return client.translate(body=texts, to_language=to, from_language=source, text_type="html" if html else None)
    inputs = [TranslateInputItem(text=each, targets=[TranslationTarget(language=one) for one in to], language=source,
                                 text_type="html" if html else None) for each in texts]
    return client.translate(body=inputs)


def texts_of(answers):
    return [[each.text for each in answer.translations] for answer in answers]


checks.call("a list", lambda: texts_of(translated([HAT, BOAT], ["de"], "en")), [[HUT], [BOOT]])
checks.call("two languages", lambda: texts_of(translated([HAT], ["de", "en"], "en")), [[HUT, HAT]])
checks.call("source unknown", lambda: translated([BOAT], ["de"])[0], "with the language that was found", lambda got:
            got.detected_language.language == "en" and got.translations[0].text == BOOT)
checks.call("tags stay", lambda: texts_of(translated([f"<b>{HAT}</b>"], ["de"], "en", html=True)), [[f"<b>{HUT}</b>"]])
checks.call("languages", lambda: client.get_supported_languages().translation["de"], "a name and a direction",
            lambda got: got.name == "German" and got.dir == "ltr")
checks.raises("an unknown language", lambda: translated([HAT], ["zz"], "en"), "HttpResponseError, 400, with the code",
              lambda error: type(error).__name__ == "HttpResponseError" and error.status_code == 400 and
              "zz" in error.message and "400036" in str(error.error.code))
if not dated:
    known = checks.call("alignment and lengths", lambda: client.translate(
        body=[HAT], to_language=["de"], from_language="en", include_alignment=True,
        include_sentence_length=True)[0].translations[0], "both", lambda got: "-" in got.alignment.proj and
        got.sent_len.src_sent_len == [len(HAT)] and got.sent_len.trans_sent_len == [len(HUT)])
checks.report()
