#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Weblate's classes for LibreTranslate, DeepL and OpenAI against a running service: weblate_client.py URL

weblate/machinery and weblate/utils are loaded from the installed package as they are. What they import of the rest of
Weblate (its database, its checks, its glossary) is never reached by these calls, and empty modules stand for it."""
import importlib.metadata
import pathlib
import sys
import types

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

root = pathlib.Path(importlib.metadata.distribution("weblate").locate_file("weblate"))


class Absent(types.ModuleType):
    """A module in whose place nothing is: each of its names is an empty class or, for functions, gives nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {}) if name[0].isupper() else lambda *_, **__: ""


def package(name):
    made = types.ModuleType(name)
    made.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
    sys.modules[name] = made


for each in ("weblate", "weblate.machinery", "weblate.utils", "weblate.checks", "weblate.lang", "weblate.glossary"):
    package(each)
for each in ("weblate.checks.utils", "weblate.glossary.models", "weblate.lang.forms", "weblate.lang.models",
             "weblate.logger", "weblate.utils.errors", "weblate.utils.forms", "weblate.utils.similarity",
             "weblate.utils.site", "weblate.utils.validators", "weblate.utils.version"):
    sys.modules[each] = Absent(each)

import django  # noqa: E402
from django.conf import settings  # noqa: E402

settings.configure(USE_I18N=False, CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}})
django.setup()
from django import forms  # noqa: E402

sys.modules["weblate.utils.forms"].WeblateServiceURLField = forms.URLField
sys.modules["weblate.utils.version"].USER_AGENT = "Weblate"
sys.modules["weblate.utils.site"].get_site_url = lambda *_: "http://weblate.example/"
from weblate.machinery.deepl import DeepLTranslation  # noqa: E402
from weblate.machinery.libretranslate import LibreTranslateTranslation  # noqa: E402
from weblate.machinery.openai import OpenAITranslation  # noqa: E402

url = url_argument()
checks = Checks("Weblate (LibreTranslate, DeepL, OpenAI)", importlib.metadata.version("weblate"))


def texts(machine, source, target, *sources):
    found = machine.download_multiple_translations(source, target, [(each, None) for each in sources])
    return [found[each][0]["text"] for each in sources]


libre = LibreTranslateTranslation({"url": url + "/", "key": ""})
checks.call("LibreTranslate: its check of the settings", libre.validate_settings, None)
checks.call("LibreTranslate: languages", lambda: libre.supported_languages, "en and de", lambda got: {"en", "de"} <= got)
checks.call("LibreTranslate: a pair", lambda: libre.is_supported("en", "de"), True)
checks.call("LibreTranslate: a batch of 20", lambda: texts(libre, "en", "de", HAT, BOAT, *map(str, range(18)))[:2],
            [HUT, BOOT])
checks.raises("LibreTranslate: an unknown language", lambda: texts(libre, "en", "zz", HAT), "an error with its name",
              lambda error: "zz is not supported" in str(error))

deepl = DeepLTranslation({"url": url + "/v2/", "key": "none"})
checks.call("DeepL: its check of the settings", deepl.validate_settings, None)
checks.call("DeepL: languages", lambda: deepl.supported_languages, "EN to DE", lambda got: ("EN", "DE") in got)
checks.call("DeepL: a batch", lambda: texts(deepl, "EN", "DE", HAT, BOAT), [HUT, BOOT])
checks.call("DeepL: placeholders and escapes", lambda: texts(deepl, "EN", "DE", 'Open <x id="5"></x> &amp; wait.')[0],
            "both are there", lambda text: '<x id="5"></x>' in text and "&amp;" in text)
checks.call("DeepL: pairs for glossaries", lambda: deepl.is_glossary_supported("EN", "DE"), True)
checks.call("DeepL: a glossary", lambda: deepl.create_glossary("en", "de", "weblate:1:en:de:0", "boat\tKahn"), None)
listed = checks.call("DeepL: glossaries", deepl.list_glossaries, "its name", lambda got: "weblate:1:en:de:0" in got) or {}
checks.call("DeepL: the glossary is deleted", lambda: (deepl.delete_glossary(listed["weblate:1:en:de:0"]),
                                                      deepl.list_glossaries())[1], {})

openai = OpenAITranslation({"key": "none", "base_url": url + "/v1", "model": "custom", "custom_model": "en-de",
                            "persona": "", "style": ""})
checks.call("OpenAI: its check of the settings", openai.validate_settings, None)
checks.call("OpenAI: a string", lambda: texts(openai, "en", "de", HAT), [HUT])
checks.call("OpenAI: a batch", lambda: texts(openai, "en", "de", HAT, BOAT), [HUT, BOOT])
checks.call("OpenAI: a placeholder", lambda: texts(openai, "en", "de", "Open [X5X] now.")[0], "it is there",
            lambda text: "[X5X]" in text)
checks.report()
