# SPDX-License-Identifier: Apache-2.0
"""LibreOffice and poppler as programs: documents as PDF and as pictures."""
from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

TOOLS = ("soffice", "pdfinfo", "pdftoppm")


def can_render():
    return all(map(shutil.which, TOOLS))


def pages(document: pathlib.Path, folder: pathlib.Path, resolution=60):
    """Numbers of pages of a document as LibreOffice shows it; its pages are folder/NAME-1.png and so on."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["soffice", f"-env:UserInstallation=file://{folder.resolve()}/profile", "--headless", "--convert-to",
                    "pdf", "--outdir", folder, document], check=True, capture_output=True, timeout=600)
    pdf = folder / f"{document.stem}.pdf"
    told = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
    name = f"{document.stem}-{document.suffix[1:]}"
    subprocess.run(["pdftoppm", "-png", "-r", str(resolution), pdf, folder / name], check=True)
    pdf.rename(folder / f"{name}.pdf")
    return int(re.search(r"^Pages:\s+(\d+)", told, re.M)[1])
