#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The openai package against a running service, as translation tools use it: openai_client.py URL"""
import importlib.metadata

from openai import OpenAI

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

checks = Checks("openai", importlib.metadata.version("openai"))
client = OpenAI(base_url=url_argument() + "/v1", api_key="none", max_retries=0)
model = checks.call("models", lambda: client.models.list().data[0].id, "an id", bool) or "none"


def ask(system, text, **more):
    return client.chat.completions.create(model=model, messages=[{"role": "system", "content": system},
                                                                 {"role": "user", "content": text}], **more)


PLAIN = "Translate the following text from English to German. Reply with the translation only."
WEBLATE = ("You are a highly skilled translation assistant, adept at translating text\nfrom language 'English'\n"
           "to language 'German'\nwith precision and nuance.\n\nYou always reply with translated string only.\n"
           "You do not include transliteration.\nYou receive an input as strings separated by \n==WEBLATE_PART==\n and\n"
           "your answer separates strings by \n==WEBLATE_PART==\n.\n")
MARK = "\n==WEBLATE_PART==\n"
checks.call("a text", lambda: ask(PLAIN, HAT).choices[0].message.content, HUT)
checks.call("parts, as Weblate sends them", lambda: ask(WEBLATE, HAT + MARK + BOAT).choices[0].message.content,
            HUT + MARK + BOOT)
checks.call("its usage and end", lambda: ask(PLAIN, HAT), "numbers and stop", lambda answer:
            answer.choices[0].finish_reason == "stop" and answer.usage.total_tokens > 0 and answer.model == model)
checks.call("streamed", lambda: "".join(piece.choices[0].delta.content or "" for piece in ask(PLAIN, HAT, stream=True)
                                        if piece.choices), HUT)
checks.raises("a language that is not served", lambda: ask("Translate from English to Japanese.", HAT), "an error 400",
              lambda error: getattr(error, "status_code", 0) == 400)
checks.report()
