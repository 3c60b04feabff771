#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libretranslatepy against a running service: libretranslatepy_client.py URL"""
import importlib.metadata

from libretranslatepy import LibreTranslateAPI

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

checks = Checks("libretranslatepy", importlib.metadata.version("libretranslatepy"))
client = LibreTranslateAPI(url_argument())
checks.call("languages", client.languages, "en and de", lambda got: {"en", "de"} <= {each["code"] for each in got})
checks.call("translate", lambda: client.translate(HAT, "en", "de"), HUT)
checks.call("translate, auto", lambda: client.translate(BOAT, "auto", "de"), BOOT)
checks.call("detect", lambda: client.detect(HUT), "de first", lambda got: got[0]["language"] == "de" and
            0 < got[0]["confidence"] <= 100)
checks.raises("an unknown language", lambda: client.translate(HAT, "en", "zz"), "HTTP error 400",
              lambda error: getattr(error, "code", 0) == 400)
keyed = LibreTranslateAPI(url_argument(), "some-key")
checks.call("with a key, where none is needed", lambda: keyed.translate(HAT, "en", "de"), HUT)
checks.report()
