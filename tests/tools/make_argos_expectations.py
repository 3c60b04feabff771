#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/toy-text/argos.json: translations of texts by the model there, done the way Argos Translate does with
a package: SentencePiece pieces, CTranslate2 with its options, pieces joined. Needs ctranslate2 and sentencepiece.
"""
import json
import pathlib

import ctranslate2
import sentencepiece

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "toy-text"


def main():
    translator = ctranslate2.Translator(str(FOLDER), device="cpu", compute_type="float32")
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(FOLDER / "source.spm"))
    texts = [item["text"] for item in json.loads((FOLDER / "expected.json").read_text())["texts"]]
    texts += ["bara 日本 min!"]  # characters without a piece
    lines = []
    for text in texts:
        result = translator.translate_batch([pieces.encode(text, out_type=str)], replace_unknowns=True, beam_size=4,
                                            length_penalty=0.2, return_scores=True)[0]
        translation = "".join(result.hypotheses[0]).replace("▁", " ").removeprefix(" ")
        lines.append(json.dumps({"text": text, "translation": translation, "score": round(result.scores[0], 6)},
                                ensure_ascii=False))
    (FOLDER / "argos.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
