#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NeMo Curator's client for translation servers against a running service: nemo_curator_client.py URL

Its files are loaded as they are; packages above them, which import all of NeMo Curator, are left out."""
import importlib.metadata
import pathlib
import sys
import types

from checks import BOAT, BOOT, HAT, HUT, Checks, url_argument

root = pathlib.Path(importlib.metadata.distribution("nemo-curator").locate_file("nemo_curator"))
for name in ("nemo_curator", "nemo_curator.stages", "nemo_curator.stages.text", "nemo_curator.stages.text.experimental",
             "nemo_curator.stages.text.experimental.translation",
             "nemo_curator.stages.text.experimental.translation.utils"):
    package = types.ModuleType(name)
    package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
    sys.modules[name] = package
from nemo_curator.stages.text.experimental.translation.backends import get_backend  # noqa: E402

checks = Checks("NeMo Curator (nmt)", importlib.metadata.version("nemo-curator"))
backend = get_backend("nmt", {"server_url": url_argument(), "batch_size": 32})
backend.setup()
checks.call("check_server", backend.check_server, True)
checks.call("translate_batch, 100 texts in 4 requests", lambda: backend.translate_batch([HAT, BOAT] * 50, "en", "de"),
            [HUT, BOOT] * 50)
checks.call("an empty text among others", lambda: backend.translate_batch([HAT, "", BOAT], "en", "de"), [HUT, "", BOOT])
backend.close()
checks.report()
