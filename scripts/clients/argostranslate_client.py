#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Argos Translate's remote mode against a running service: argostranslate_client.py URL

The package takes its address from a constant of its class and has no setting for it; the constant is set here. It
imports stanza, which its remote mode never calls: an empty module stands for that where it is not installed."""
import importlib.metadata
import os
import sys
import types

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

os.environ["ARGOS_MODEL_PROVIDER"] = "LIBRETRANSLATE"
try:
    import stanza  # noqa: F401
except ImportError:
    sys.modules["stanza"] = types.ModuleType("stanza")
from argostranslate import apis, translate  # noqa: E402

apis.LibreTranslateAPI.DEFAULT_URL = url_argument() + "/"
checks = Checks("argostranslate (remote)", importlib.metadata.version("argostranslate"))
checks.call("languages, by POST", translate.get_installed_languages, "en and de",
            lambda got: {"en", "de"} <= {each.code for each in got})
checks.call("translate", lambda: translate.translate(HAT, "en", "de"), HUT)
way = checks.call("a translation of two languages", lambda: translate.get_translation_from_codes("en", "de"), "one", bool)
checks.call("hypotheses", lambda: way.hypotheses(BOAT, 2)[0].value, BOOT)
checks.call("detect", lambda: apis.LibreTranslateAPI().detect(HUT)[0]["language"], "de")
checks.report()
