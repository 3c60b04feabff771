#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""google-cloud-translate (its REST client of version 2) against a running service: google_client.py URL"""
import importlib.metadata

from google.auth.credentials import AnonymousCredentials
from google.cloud import translate_v2

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

checks = Checks("google-cloud-translate (v2)", importlib.metadata.version("google-cloud-translate"))
client = translate_v2.Client(credentials=AnonymousCredentials(), client_options={"api_endpoint": url_argument()})
checks.call("translate", lambda: client.translate(HAT, target_language="de", source_language="en")["translatedText"], HUT)
checks.call("translate a list", lambda: [each["translatedText"] for each in client.translate(
    [HAT, BOAT], target_language="de", source_language="en", format_="text")], [HUT, BOOT])
checks.call("translate, source unknown", lambda: client.translate(BOAT, target_language="de"), "with the source",
            lambda answer: answer["detectedSourceLanguage"] == "en" and answer["translatedText"] == BOOT)
checks.call("tags stay", lambda: client.translate(f"<b>{HAT}</b>", target_language="de", source_language="en",
                                                 format_="html")["translatedText"], f"<b>{HUT}</b>")
checks.call("detect", lambda: client.detect_language(HUT)["language"], "de")
checks.call("detect a list", lambda: [each["language"] for each in client.detect_language([HUT, HAT])], ["de", "en"])
checks.call("languages", lambda: client.get_languages(target_language="en"), "with names",
            lambda got: {"language": "de", "name": "German"} in got)
checks.raises("an unknown language", lambda: client.translate(HAT, target_language="zz"), "BadRequest",
              lambda error: type(error).__name__ == "BadRequest" and "zz" in str(error))
checks.report()
