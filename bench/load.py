#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time and host memory of loading a model, by format, with bench_load, as a Markdown table.

    load.py --make DIR            writes random models of base size in every format (2 GB); needs numpy, PyYAML, PyTorch
                                  and safetensors
    load.py DIR/npz DIR/bin ...   measures; MODEL=TYPE chooses the compute type
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
STUDENT = {"d_model": 512, "ffn": 2048, "encoder_layers": 6, "decoder_layers": 6, "heads": 8, "vocabulary": 32000,
           "seed": 1, "sentences": 8, "length": 25, "spread": 0}


def make_opus(folder):
    """One archive of what make_student_model.py wrote, packed as OPUS-MT's are."""
    decoder = "models: [opus.npz]\nvocabs: [opus.vocab.yml, opus.vocab.yml]\nrelative-paths: true\nbeam-size: 4\n"
    with zipfile.ZipFile(folder / "opus.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(folder / "npz/model.npz", "opus.npz")
        archive.write(folder / "npz/vocab.yml", "opus.vocab.yml")
        for side in ("source", "target"):
            archive.write(folder / "firefox/vocab.xxyy.spm", side + ".spm")
        archive.writestr("decoder.yml", decoder)


def make_huggingface(folder):
    import torch
    from safetensors.torch import save_file
    import ct2_file
    from peer import marian_weights
    variables = ct2_file.read_model(folder / "ctranslate2/model.bin")[3]
    words = json.loads((folder / "ctranslate2/shared_vocabulary.json").read_text())
    state = marian_weights(variables, {"encoder": 6, "decoder": 6}, torch)
    # Shared tensors once, as transformers saves them.
    for name in ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"):
        del state[name]
    state = {name: value.contiguous() for name, value in state.items()}
    config = {"architectures": ["MarianMTModel"], "model_type": "marian", "vocab_size": len(words),
              "decoder_vocab_size": len(words), "d_model": 512, "encoder_layers": 6, "decoder_layers": 6,
              "encoder_attention_heads": 8, "decoder_attention_heads": 8, "encoder_ffn_dim": 2048,
              "decoder_ffn_dim": 2048, "activation_function": "relu", "scale_embedding": True,
              "static_position_embeddings": True, "max_position_embeddings": 512, "tie_word_embeddings": False,
              "share_encoder_decoder_embeddings": True, "pad_token_id": 0, "eos_token_id": 2, "bos_token_id": 1,
              "decoder_start_token_id": 1, "forced_eos_token_id": None}
    for kind in ("safetensors", "torch"):
        to = folder / kind
        to.mkdir(exist_ok=True)
        (to / "config.json").write_text(json.dumps(config))
        (to / "vocab.json").write_text(json.dumps({word: i for i, word in enumerate(words)}))
        for side in ("source", "target"):
            shutil.copy(folder / "firefox/vocab.xxyy.spm", to / f"{side}.spm")
    save_file(state, folder / "safetensors/model.safetensors")
    torch.save(state, folder / "torch/pytorch_model.bin")


def make(folder):
    sys.path[:0] = [str(HERE), str(HERE.parent / "tests" / "tools")]
    import make_student_model
    make_student_model.write(argparse.Namespace(out=folder, **STUDENT))
    make_opus(folder)
    subprocess.run([sys.executable, HERE / "make_base_model.py", folder / "ctranslate2"], check=True)
    make_huggingface(folder)


def measure(options, choice):
    path, _, compute_type = choice.partition("=")
    runs = [json.loads(subprocess.run([options.bench, path, compute_type], check=True, stdout=subprocess.PIPE,
                                      text=True).stdout) for _ in range(options.repeat)]
    middle = lambda key: statistics.median(run[key] for run in runs)
    result = {key: middle(key) for key in ("read_seconds", "load_seconds", "read_bytes", "peak_bytes")}
    result |= {key: runs[0][key] for key in ("path", "file_bytes", "device_bytes", "compute_type", "device_is_cpu")}
    result["host_bytes"] = max(result["peak_bytes"] - (result["device_bytes"] if result["device_is_cpu"] else 0), 0)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL[=TYPE]")
    parser.add_argument("--make", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--bench", type=pathlib.Path, default=HERE.parent / "build/release/bench/bench_load")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    if options.make:
        options.make.mkdir(parents=True, exist_ok=True)
        make(options.make)
    results = []
    if options.models:
        print("| model | computes in | files MB | read s | load s | device MB | host MB at most | of it reading | "
              "0.2 x files + 64 MiB |\n|---|---|---:|---:|---:|---:|---:|---:|---|")
    for choice in options.models:
        r = measure(options, choice)
        results.append(r)
        most = 0.2 * r["file_bytes"] + 2**26
        mb = lambda value: f"{value / 1e6:.0f}"
        print(f"| {pathlib.Path(r['path']).name} | {r['compute_type']} | {r['file_bytes'] / 1e6:.1f} | "
              f"{r['read_seconds']:.2f} | {r['load_seconds']:.2f} | {mb(r['device_bytes'])} | {mb(r['host_bytes'])} | "
              f"{mb(r['read_bytes'])} | {mb(most)}{'' if r['host_bytes'] <= most else ', missed'} |", flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
