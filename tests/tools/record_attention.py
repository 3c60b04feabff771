#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes attention.json beside ../data/huggingface/shared: the cross-attention of every layer and head in transformers,
for some of the model's recorded texts: [{"text", "source": [piece], "target": [piece],
"attention": [layer][head][target][source]}], end tokens included on both sides."""
import json
import pathlib

import torch
import transformers

MODEL = pathlib.Path(__file__).resolve().parent.parent / "data" / "huggingface" / "shared"


def main():
    model = transformers.MarianMTModel.from_pretrained(MODEL, attn_implementation="eager", dtype=torch.float32).eval()
    tokenizer = transformers.MarianTokenizer.from_pretrained(MODEL)
    with open(MODEL / "expected.json", encoding="utf-8") as file:
        texts = json.load(file)["texts"]
    rows = []
    for text in texts[:2]:
        source = tokenizer(text["text"], return_tensors="pt").input_ids
        target = tokenizer.convert_tokens_to_ids(text["translation_pieces"]) + [model.config.eos_token_id]
        inputs = torch.tensor([[model.config.decoder_start_token_id] + target[:-1]])
        with torch.no_grad():
            output = model(input_ids=source, decoder_input_ids=inputs, output_attentions=True)
        rows.append({"text": text["text"], "source": tokenizer.convert_ids_to_tokens(source[0]),
                     "target": tokenizer.convert_ids_to_tokens(target),
                     "attention": [[[[round(w, 6) for w in row] for row in head] for head in layer[0].tolist()]
                                   for layer in output.cross_attentions]})
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (MODEL / "attention.json").write_text(f"[{lines}]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
