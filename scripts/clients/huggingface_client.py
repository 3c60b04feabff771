#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""huggingface_hub's InferenceClient against a running service: huggingface_client.py URL"""
import importlib.metadata

from huggingface_hub import InferenceClient

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

url = url_argument()
checks = Checks("huggingface_hub", importlib.metadata.version("huggingface_hub"))
client = InferenceClient(token="none")
for what, address in (("the address itself", url), ("a path of it", url + "/models/en-de")):
    checks.call(f"translation, {what}", lambda: client.translation(
        HAT, model=address, src_lang="en", tgt_lang="de").translation_text, HUT)
checks.call("FLORES codes", lambda: client.translation(
    BOAT, model=url, src_lang="eng_Latn", tgt_lang="deu_Latn").translation_text, BOOT)
checks.call("generate_parameters", lambda: client.translation(
    BOAT, model=url, src_lang="en", tgt_lang="de", generate_parameters={"num_beams": 2}).translation_text, BOOT)
checks.raises("an unknown language", lambda: client.translation(HAT, model=url, src_lang="en", tgt_lang="zz"),
              "an HTTP error 400", lambda error: getattr(getattr(error, "response", None), "status_code", 0) == 400)
chat = InferenceClient(base_url=url, token="none")
checks.call("chat completion", lambda: chat.chat_completion(messages=[
    {"role": "system", "content": "Translate from English to German."}, {"role": "user", "content": HAT}],
    model="en-de").choices[0].message.content, HUT)
checks.report()
