#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/checkpoints/: the weights of tests/data/huggingface/shared in PyTorch's and in sharded files, as
transformers and torch.save write them, and a state dict of odd tensors with their values. Needs torch, transformers.
"""
import collections
import json
import pathlib
import shutil

import torch
import transformers

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
FOLDER = DATA / "checkpoints"


def odd_tensors():
    """Views of one storage, every type, a parameter, a scalar, nothing at all."""
    base = torch.arange(24, dtype=torch.float32).reshape(4, 6) - 7.5
    state = collections.OrderedDict(
        base=base, transposed=base.t(), window=base[1:3, 2:5], column=base[:, 3], rows=base[1:3],
        swapped=base.reshape(2, 3, 4).permute(2, 0, 1), scalar=torch.tensor(3.25), empty=torch.zeros(0, 3),
        half=base[0].half(), bfloat=base[1].bfloat16(), weight=torch.nn.Parameter(base[:2, :2].clone()),
        ids=torch.arange(5), double=base[0].double(), flags=torch.tensor([True, False]))
    state._metadata = collections.OrderedDict([("", {"version": 1})])
    return state


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    state = odd_tensors()
    torch.save(state, FOLDER / "odd.bin")
    torch.save(state, FOLDER / "old.bin", _use_new_zipfile_serialization=False)
    floats = {name: {"shape": list(tensor.shape), "values": tensor.detach().float().flatten().tolist()}
              for name, tensor in state.items() if tensor.dtype in (torch.float32, torch.float16, torch.bfloat16)}
    (FOLDER / "odd.json").write_text(json.dumps(floats, indent=0) + "\n")

    model = transformers.MarianMTModel.from_pretrained(DATA / "huggingface" / "shared", dtype="auto")
    stored = transformers.modeling_utils.load_state_dict(str(DATA / "huggingface" / "shared" / "model.safetensors"))
    torch.save(collections.OrderedDict(stored), FOLDER / "pytorch_model.bin")
    temporary = FOLDER / "sharded"
    model.save_pretrained(temporary, max_shard_size="40KB")
    for name in ("config.json", "generation_config.json"):
        (temporary / name).unlink()
    for file in temporary.iterdir():
        file.chmod(0o644)
        file.rename(FOLDER / file.name)
    temporary.rmdir()


if __name__ == "__main__":
    main()
