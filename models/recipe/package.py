# SPDX-License-Identifier: Apache-2.0
"""Writes the Hugging Face Marian layout, and reads it back for evaluation."""
import json
import os
import shutil

import torch
from safetensors.torch import load_file, save_file

import checkpoint
import options as settings
from average import averaged_model
from fast_model import widened
from model import Translator
from vocab import EOS

PAD_BIAS = -1e4  # keeps <pad> out even where bad_words_ids is not honoured


def names():
    """[(Hugging Face name, our name, part, parts)]; fused tensors are split."""
    rows = []
    for stack, layers in (("encoder", settings.ENCODER_LAYERS), ("decoder", settings.DECODER_LAYERS)):
        for i in range(layers):
            ours, theirs = f"{stack}.{i}", f"model.{stack}.layers.{i}"
            attentions = [("self_attention", "self_attn", (("qkv", "qkv"),))]
            norms = [("self_norm", "self_attn_layer_norm"), ("ffn_norm", "final_layer_norm")]
            if stack == "decoder":
                attentions.append(("cross_attention", "encoder_attn", (("q", "q"), ("kv", "kv"))))
                norms.append(("cross_norm", "encoder_attn_layer_norm"))
            for kind in ("weight", "bias"):
                for a, b, groups in attentions:
                    for fused, parts in groups:
                        for part, letter in enumerate(parts):
                            rows.append((f"{theirs}.{b}.{letter}_proj.{kind}", f"{ours}.{a}.{fused}.{kind}",
                                         part, len(parts)))
                    rows.append((f"{theirs}.{b}.out_proj.{kind}", f"{ours}.{a}.out.{kind}", 0, 1))
                for a, b in norms + [("fc1", "fc1"), ("fc2", "fc2")]:
                    rows.append((f"{theirs}.{b}.{kind}", f"{ours}.{a}.{kind}", 0, 1))
    return rows


def to_hugging_face(state):
    d = settings.D_MODEL
    out = {theirs: state[ours].chunk(parts)[part] for theirs, ours, part, parts in names()}
    out["model.shared.weight"] = torch.cat([state["embedding"], torch.zeros(1, d)])
    out["final_logits_bias"] = torch.cat([state["bias"], torch.tensor([PAD_BIAS])])[None]
    return out


def from_hugging_face(tensors):
    state = {"embedding": tensors["model.shared.weight"][:-1], "bias": tensors["final_logits_bias"][0, :-1]}
    for theirs, ours, _, _ in names():
        state[ours] = torch.cat([state[ours], tensors[theirs]]) if ours in state else tensors[theirs]
    return state


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def config(pad, ffn):
    return {
        "architectures": ["MarianMTModel"], "model_type": "marian",
        "vocab_size": settings.VOCAB_SIZE, "decoder_vocab_size": settings.VOCAB_SIZE,
        "d_model": settings.D_MODEL,
        "encoder_layers": settings.ENCODER_LAYERS, "decoder_layers": settings.DECODER_LAYERS,
        "encoder_attention_heads": settings.HEADS, "decoder_attention_heads": settings.HEADS,
        "encoder_ffn_dim": ffn[0], "decoder_ffn_dim": ffn[1],
        "num_hidden_layers": settings.ENCODER_LAYERS,
        "activation_function": "relu", "scale_embedding": True, "static_position_embeddings": True,
        "normalize_before": False, "normalize_embedding": False, "add_final_layer_norm": False,
        "add_bias_logits": False,
        "share_encoder_decoder_embeddings": True, "tie_word_embeddings": True,
        "max_position_embeddings": settings.MAX_POSITIONS, "is_encoder_decoder": True, "use_cache": True,
        "dropout": 0.1, "attention_dropout": 0.0, "activation_dropout": 0.0,
        "encoder_layerdrop": 0.0, "decoder_layerdrop": 0.0, "init_std": 0.02, "classifier_dropout": 0.0,
        "bos_token_id": EOS, "eos_token_id": EOS, "forced_eos_token_id": EOS,
        "pad_token_id": pad, "decoder_start_token_id": pad, "torch_dtype": "float16",
        # Of the shipped weights, as `dragoman convert --alignment-text` finds it. Another training: another head.
        "alignment_layer": 0, "alignment_first_head": 2, "alignment_heads": 1, "alignment_next_step": True,
    }


def generation_config(pad):
    return {
        "bos_token_id": EOS, "eos_token_id": EOS, "forced_eos_token_id": EOS,
        "pad_token_id": pad, "decoder_start_token_id": pad, "bad_words_ids": [[pad]],
        "max_length": settings.MAX_POSITIONS, "num_beams": 4, "length_penalty": 1.0, "renormalize_logits": True,
    }


def training_record(path):
    """What training.json of a package says: {"steps", "epochs", "seconds", "device", ...}."""
    return json.loads((path / "training.json").read_text(encoding="utf-8"))


def steps_so_far(record):
    return record["steps"] + record.get("before", {}).get("steps", 0)


def write_package(model, vocabulary, out, dtype=torch.float16, record=None):
    """Into a new folder first, so that a package is whole or not there."""
    part = out.with_name(out.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    tensors = {k: v.to(dtype).contiguous().clone() for k, v in to_hugging_face(model.state_dict()).items()}
    save_file(tensors, part / "model.safetensors", metadata={"format": "pt"})
    (part / "model.safetensors").chmod(0o644)
    write_json(part / "config.json", config(vocabulary.pad, model.ffn))
    write_json(part / "generation_config.json", generation_config(vocabulary.pad))
    write_json(part / "vocab.json", {piece: i for i, piece in enumerate(vocabulary.pieces())})
    write_json(part / "special_tokens_map.json", {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"})
    write_json(part / "tokenizer_config.json", {
        "tokenizer_class": "MarianTokenizer", "source_lang": "de+en", "target_lang": "de+en", "separate_vocabs": False,
        "model_max_length": settings.MAX_POSITIONS, "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"})
    for name in ("source.spm", "target.spm"):
        shutil.copyfile(vocabulary.path, part / name)
    if record:
        write_json(part / "training.json", record)
    shutil.rmtree(out, ignore_errors=True)
    os.replace(part, out)


def load_package(path):
    tensors = load_file(path / "model.safetensors")
    return Translator.of(from_hugging_face({k: v.float() for k, v in tensors.items()})).eval()


def mix_in(model, other, share):
    """Training on another mixture forgets some of what the first one taught; between the two weights lies a model with
    most of both (Wortsman et al. 2022)."""
    state = model.state_dict()
    for name, old in widened(other.state_dict(), settings.ENCODER_LAYERS, settings.DECODER_LAYERS, *model.ffn).items():
        state[name].lerp_(old, share)


def distilled(folder):
    """Weights that distil.py wrote, and what a checkpoint would say of them."""
    state = {}
    for path in sorted(folder.glob("student.*.pt")):
        state |= {k: v.float() for k, v in torch.load(path, map_location="cpu", weights_only=True).items()}
    record = json.loads((folder / "student.json").read_text(encoding="utf-8"))
    return state, {"step": record["steps"], "epoch": 0, "seconds": 60 * record["minutes"], "device": "cuda",
                   "texts": True}


def started_from(record):
    """What a distilled model's record says of the weights it began with."""
    return {"epoch": record["epochs"],
            "before": {"steps": steps_so_far(record), "seconds": record["seconds"], "device": record["device"]}}


def package(options, vocabulary, log):
    if (options.run_dir / "distil").exists():
        state, record = distilled(options.run_dir / "distil")
        model = Translator.of(state).eval()
        options.average = 1
        if options.start_from:
            record |= started_from(training_record(options.start_from))
    else:
        model, record = averaged_model(options, log), checkpoint.load_last(options.run_dir / "checkpoints", log)
    if options.mix_in:
        mix_in(model, load_package(options.start_from), options.mix_in)
    write_package(model, vocabulary, options.out, record={
        "steps": record["step"], "epochs": record["epoch"], "seconds": round(record.get("seconds", 0)),
        "device": record.get("device", "cpu"), "preset": options.preset, "seed": options.seed,
        "averaged_snapshots": options.average, "mixed_in": options.mix_in,
        "texts": record.get("texts", False), "before": record.get("before", {})})
    size = sum(p.stat().st_size for p in options.out.iterdir())
    log(f"packaged in {options.out}, {size / 1e6:.1f} MB")
    if size > 24e6:
        raise SystemExit("the package is larger than 24 MB")
