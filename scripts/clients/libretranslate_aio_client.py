#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libretranslate-aio against a running service: libretranslate_aio_client.py URL"""
import asyncio
import importlib.metadata
import io

from libretranslate_aio import AsyncLibreTranslate, LibreTranslate

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

checks = Checks("libretranslate-aio", importlib.metadata.version("libretranslate-aio"))
url = url_argument()
with LibreTranslate(url) as client:
    checks.call("health", client.health, True)
    checks.call("languages", client.languages, "en, with de among its targets",
                lambda got: any(each.code == "en" and "de" in each.targets for each in got))
    checks.call("frontend settings", client.frontend_settings, "settings", bool)
    checks.call("translate", lambda: client.translate(HAT, "en", "de").translated_text, HUT)
    checks.call("translate with alternatives", lambda: client.translate(HAT, "en", "de", alternatives=2), "strings",
                lambda answer: answer.translated_text == HUT and len(answer.alternatives) <= 2)
    checks.call("translate a list, as a form", lambda: client.translate([HAT, BOAT], "en", "de").translated_text,
                [HUT, BOOT])
    checks.call("detect", lambda: client.detect(HUT)[0].language, "de")
    file = io.BytesIO(f"{HAT}\n".encode())
    file.name = "hat.txt"
    checks.call("translate a file", lambda: client.translate_file(file, "en", "de"), "an address",
                lambda answer: url in str(answer))
    checks.raises("an unknown language", lambda: client.translate(HAT, "en", "zz"), "an error that names it",
                  lambda error: "zz" in str(error))


async def many():
    async with AsyncLibreTranslate(url) as client:
        answers = await asyncio.gather(*(client.translate(HAT, "en", "de") for _ in range(20)))
        return {each.translated_text for each in answers}

checks.call("20 at once", lambda: asyncio.run(many()), {HUT})
checks.report()
