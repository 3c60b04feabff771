#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/encoders/{bert,labse,xlmr}/: small encoders with random weights as transformers and
sentence-transformers save them, and vectors.json: what they make of texts in several scripts; and the same for the encoders
of models in tests/data that translate: tests/data/encoders/{marian,m2m100,t5}.json.

Needs torch, transformers 5, tokenizers and sentencepiece.
"""
import json
import pathlib
import shutil
import tempfile

import sentencepiece
import tokenizers
import torch
import transformers
from tokenizers import models, normalizers, pre_tokenizers, trainers

import packed_json

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
FOLDER = DATA / "encoders"
DIGITS = 5
WITH_TOKENS = 10  # texts whose token vectors are kept
SENTENCES = [
    "Where is the station?", "The train leaves at half past nine.", "I would like two tickets to Berlin, please.",
    "It rained all day, so we stayed at home.", "She plays the violin in a small orchestra.", "Don't open the window!",
    "Wo ist der Bahnhof?", "Der Zug fährt um halb zehn ab.", "Ich hätte gern zwei Karten nach München.",
    "Es hat den ganzen Tag geregnet, also blieben wir zu Hause.", "Größe, Übung und Ärger: drei schöne Wörter.",
    "Où est la gare ?", "Le train part à neuf heures et demie.", "L'été dernier, nous étions à la mer.",
    "¿Dónde está la estación?", "El niño comió una manzana.", "Onde fica a estação de comboios?",
    "Где находится вокзал?", "Поезд отправляется в половине десятого.", "Ёлка стоит в углу комнаты.",
    "Πού είναι ο σταθμός;", "Το τρένο φεύγει στις εννιάμισι.", "駅はどこですか。", "電車は九時半に出ます。",
    "火车站在哪里？", "火车九点半开。", "기차역이 어디에 있습니까?", "기차는 아홉 시 반에 출발합니다.",
    "أين المحطة؟", "يغادر القطار في التاسعة والنصف.", "איפה התחנה?", "הרכבת יוצאת בתשע וחצי.",
    "स्टेशन कहाँ है?", "रेलगाड़ी साढ़े नौ बजे चलती है।", "สถานีอยู่ที่ไหน", "Nhà ga ở đâu?", "Tren istasyonu nerede?",
    "İstanbul'da ılık bir akşam.", "Kde je nádraží?", "Gdzie jest dworzec? Źle, żółto.",
]
ODD = [
    "", " ", "a", "  two  spaces\tand\na line\r\nbreak ", "UPPER lower MiXeD", "e\u0301a\u0308o e\u0327", "naïve café",
    "3.14 × 2 = 6.28 €, 50 % & #1", "x²+y²=z² ½ Ⅷ", "a\u00a0b\u3000c\u2009d\u200be\ufefff", "null\x00 bell\x07 rep\ufffd",
    "##ing [cls ]", "http://example.com/a_b-c?d=e", "👩‍👩‍👧 🏳️‍🌈 👍", "ﬁ ＡＢ？",
    "漢字かなカナ漢字", "\U00020000\U0002b830x", "e" * 120, "ab" * 30, "ǅ ß ẞ ſ ŉ", "\u0130I\u0131i ΑΣ ΣΑΣ", "क\u094dष \u0e33",
    "soft\u00adhyphen dir\u200e\u202amark", "\u2e43\u061d\u1b7d new", "...!?", "a.b,c;d:e-f_g(h)i[j]k{l}m'n\"o", "$+<=>^`|~",
    "private \ue000 \U000f0000 use", "non\u0378assigned",
]
TEXTS = SENTENCES + ODD
SHAPE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48,
         "initializer_range": 0.2}


def randomize(model):
    """Nothing is left at 0 or 1."""
    with torch.no_grad():
        for name, value in model.named_parameters():
            if name.endswith("bias"):
                value.normal_(0, 0.2)
            elif "LayerNorm" in name:
                value.normal_(1, 0.2)
    return model.eval()


def write_json(path, values):
    path.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def word_pieces(lower, vocabulary):
    tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lower)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    # Without "x": words that have it are unknown.
    tokenizer.train_from_iterator([text.replace("x", "") for text in SENTENCES],
                                  trainers.WordPieceTrainer(vocab_size=vocabulary, special_tokens=special,
                                                            show_progress=False))
    return sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)


def bert_tokenizer(folder, lower, vocabulary):
    (folder / "vocab.txt").write_text("\n".join(word_pieces(lower, vocabulary)) + "\n", encoding="utf-8")
    tokenizer = transformers.BertTokenizer.from_pretrained(folder, do_lower_case=lower)
    return tokenizer


def make_bert(folder):
    """Uncased, vocab.txt, a checkpoint with the heads of pre-training."""
    tokenizer = bert_tokenizer(folder, True, 420)
    config = transformers.BertConfig(vocab_size=len(tokenizer), max_position_embeddings=160, **SHAPE)
    model = randomize(transformers.BertForPreTraining(config))
    model.save_pretrained(folder)
    write_json(folder / "tokenizer_config.json", {"do_lower_case": True, "tokenizer_class": "BertTokenizer"})
    return tokenizer, model.bert, {}


def make_labse(folder):
    """Cased, tokenizer.json, what sentence-transformers puts beside it: first token, dense layer, length 1."""
    tokenizer = bert_tokenizer(folder, False, 500)
    tokenizer.save_pretrained(folder)
    (folder / "vocab.txt").unlink()
    config = transformers.BertConfig(vocab_size=len(tokenizer), max_position_embeddings=160, **SHAPE)
    model = randomize(transformers.BertModel(config))
    model.save_pretrained(folder)
    dense = randomize(torch.nn.Linear(SHAPE["hidden_size"], 20))
    modules(folder, ["Transformer", "Pooling", "Dense", "Normalize"], "pooling_mode_cls_token")
    place = folder / "2_Dense"
    place.mkdir()
    write_json(place / "config.json", {"in_features": SHAPE["hidden_size"], "out_features": 20, "bias": True,
                                       "activation_function": "torch.nn.modules.activation.Tanh"})
    torch.save({f"linear.{name}": value for name, value in dense.state_dict().items()}, place / "pytorch_model.bin")
    return tokenizer, model, {"pooling": "cls", "dense": dense, "normalize": True}


def make_xlmr(folder):
    """SentencePiece, no pooler; the mean, length 1. tokenizer.json says the same as the SentencePiece model."""
    rules = folder / "rules.tsv"  # a few of NFKC's, which take 240 kB
    rules.write_text("".join(f"{ord(wide):X}\t{' '.join(f'{ord(c):X}' for c in plain)}\n" for wide, plain in
                             {"Ａ": "A", "Ｂ": "B", "ﬁ": "fi", "？": "?", "\u3000": " ", "\t": " ", "\n": " ", "\r": " ",
                              "\u00a0": " ", "\u2009": " "}.items()))
    with open(folder / "sentencepiece.bpe.model", "wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(SENTENCES * 20), model_writer=file, vocab_size=420, model_type="unigram",
            normalization_rule_tsv=str(rules), character_coverage=1.0, minloglevel=2, num_threads=1,
            shuffle_input_sentence=False, hard_vocab_limit=False)
    rules.unlink()
    from sentencepiece import sentencepiece_model_pb2
    proto = sentencepiece_model_pb2.ModelProto.FromString((folder / "sentencepiece.bpe.model").read_bytes())
    tokenizer = transformers.XLMRobertaTokenizer.from_pretrained(folder)
    tokenizer.backend_tokenizer.normalizer = normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap)
    tokenizer.save_pretrained(folder)
    config = transformers.XLMRobertaConfig(vocab_size=len(tokenizer), max_position_embeddings=162, type_vocab_size=1,
                                           layer_norm_eps=1e-5, **SHAPE)
    model = randomize(transformers.XLMRobertaModel(config, add_pooling_layer=False))
    model.save_pretrained(folder)
    modules(folder, ["Transformer", "Pooling", "Normalize"], "pooling_mode_mean_tokens")
    return tokenizer, model, {"pooling": "mean", "normalize": True}


def modules(folder, kinds, pooling):
    paths = ["" if kind == "Transformer" else f"{i}_{kind}" for i, kind in enumerate(kinds)]
    write_json(folder / "modules.json", [{"idx": i, "name": str(i), "path": path,
                                          "type": f"sentence_transformers.models.{kind}"}
                                         for i, (kind, path) in enumerate(zip(kinds, paths))])
    (folder / "1_Pooling").mkdir()
    write_json(folder / "1_Pooling" / "config.json",
               {"word_embedding_dimension": SHAPE["hidden_size"], "pooling_mode_cls_token": False,
                "pooling_mode_mean_tokens": False, "pooling_mode_max_tokens": False, pooling: True})
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 128, "do_lower_case": False})


def rounded(tensor):
    return [round(value, DIGITS) for value in tensor.reshape(-1).tolist()]


def record(texts, encode, tokenizer, network, how):
    """Each text alone, in 64 bits."""
    network = network.double().eval()
    cases = []
    for i, text in enumerate(texts):
        ids = encode(text)
        with torch.no_grad():
            output = network(input_ids=torch.tensor([ids]))
        hidden = output.last_hidden_state[0]
        case = {"text": text, "tokens": tokenizer.convert_ids_to_tokens(ids), "mean": rounded(hidden.mean(0)),
                "cls": rounded(hidden[0])}
        if getattr(output, "pooler_output", None) is not None:
            case["pooler"] = rounded(output.pooler_output[0])
        if how:
            own = hidden.mean(0) if how["pooling"] == "mean" else hidden[0]
            if "dense" in how:
                with torch.no_grad():
                    own = torch.tanh(how["dense"].double()(own))
            case["model"] = rounded(torch.nn.functional.normalize(own, dim=0))
        if i % max(len(texts) // WITH_TOKENS, 1) == 0:
            case["rows"] = rounded(hidden)
        cases.append(case)
    return cases


def save_cases(path, cases):
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def make(name, maker):
    torch.manual_seed(20)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        tokenizer, network, how = maker(folder)
        (folder / "special_tokens_map.json").unlink(missing_ok=True)
        cases = record(TEXTS, lambda text: tokenizer(text)["input_ids"], tokenizer, network, how)
        save_cases(folder / "vectors.json", cases)
        packed_json.pack_tokenizer(folder)
        shutil.rmtree(FOLDER / name, ignore_errors=True)
        shutil.copytree(folder, FOLDER / name)
        for path in (FOLDER / name, *(FOLDER / name).rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
    unknown = sum(tokenizer.unk_token in case["tokens"] for case in cases)
    print(name, len(tokenizer), len(cases), "cases,", unknown, "with unknown tokens")


def record_marian():
    folder = DATA / "huggingface" / "shared"
    tokenizer = transformers.MarianTokenizer.from_pretrained(folder)
    model = transformers.MarianMTModel.from_pretrained(folder, dtype=torch.float32)
    texts = [case["source"] if "source" in case else case["text"]
             for case in json.loads((folder / "expected.json").read_text())["texts"]]
    return texts, lambda text: tokenizer(text)["input_ids"], tokenizer, model.get_encoder()


def record_m2m100():
    folder = DATA / "huggingface" / "m2m100"
    tokenizer = transformers.M2M100Tokenizer.from_pretrained(folder)
    model = transformers.M2M100ForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    sentences = json.loads((folder / "translations.json").read_text())["sentences"]
    texts = [sentence[2] for sentence in sentences if sentence[0] == "de"][:50]
    tokenizer.src_lang = "de"
    return texts, lambda text: tokenizer(text)["input_ids"], tokenizer, model.get_encoder()


def record_t5():
    folder = DATA / "t5" / "t5"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.T5ForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    items = json.loads((folder / "recorded.json").read_text())["cases"][0]["items"]
    texts = [item["text"] for item in items if (item["from"], item["to"]) == ("en", "de")][:50]
    prefix = "translate English to German: "
    return texts, lambda text: tokenizer(prefix + text)["input_ids"], tokenizer, model.get_encoder()


def main():
    torch.set_num_threads(1)
    FOLDER.mkdir(exist_ok=True)
    for name, maker in (("bert", make_bert), ("labse", make_labse), ("xlmr", make_xlmr)):
        make(name, maker)
    for name, recorder in (("marian", record_marian), ("m2m100", record_m2m100), ("t5", record_t5)):
        cases = record(*recorder(), {})
        save_cases(FOLDER / f"{name}.json", cases)
        print(name, len(cases), "cases")


if __name__ == "__main__":
    main()
