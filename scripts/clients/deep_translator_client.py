#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deep-translator's LibreTranslator against a running service: deep_translator_client.py URL"""
import importlib.metadata

from deep_translator import LibreTranslator

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

checks = Checks("deep-translator", importlib.metadata.version("deep-translator"))
client = LibreTranslator(source="en", target="de", api_key="any", custom_url=url_argument() + "/")
checks.call("translate, all in the query", lambda: client.translate(HAT), HUT)
checks.call("translate_batch", lambda: client.translate_batch([HAT, BOAT]), [HUT, BOOT])
automatic = LibreTranslator(source="auto", target="de", api_key="any", custom_url=url_argument() + "/")
checks.call("source auto", lambda: automatic.translate(BOAT), BOOT)
named = LibreTranslator(source="English", target="German", api_key="any", custom_url=url_argument() + "/")
checks.call("languages by names", lambda: named.translate(BOAT), BOOT)
unknown = LibreTranslator(source="en", target="ko", api_key="any", custom_url=url_argument() + "/")
checks.raises("a language that is not served", lambda: unknown.translate(HAT), "its exception of servers",
              lambda error: type(error).__name__ == "ServerException")
checks.report()
