# SPDX-License-Identifier: Apache-2.0
"""Marian's transformer in double precision, as its equations say, for what pymarian cannot run: learned positions and
integer products in exact arithmetic. Post-norm and pre-norm, self-attention and SSRU decoders."""
import numpy

import marian_file


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def softmax(x):
    e = numpy.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


ACTIVATIONS = {"relu": lambda x: numpy.maximum(x, 0), "swish": lambda x: x * sigmoid(x),
               "gelu": lambda x: x * sigmoid(1.702 * x)}


class Reference:
    def __init__(self, options, parameters, integers=None):
        """integers: {name: (int8 matrix, multiplier, multiplier of the input or None)} replace parameters."""
        self.o, self.integers = options, integers or {}
        self.p = {name: value.astype("f8") for name, value in parameters.items()}
        self.d, self.heads = options["dim-emb"], options["transformer-heads"]

    def dense(self, x, weight, bias=None, rows=False):
        """rows: the multiplier of the input is each row's own, as when rows are steps."""
        if weight in self.integers:
            w, scale, alpha = self.integers[weight]
            if alpha is None:
                largest = numpy.abs(x).max(-1, keepdims=True) if rows else numpy.abs(x).max()
                alpha = 127 / largest
            alpha = numpy.asarray(alpha, "f4").astype("f8")
            a = numpy.clip(numpy.rint(x * alpha), -127, 127)
            y = (a @ w.astype("f8")) / (alpha * float(scale))
        else:
            y = x @ self.p[weight]
        return y if bias is None else y + self.p[bias][0]

    def norm(self, x, name, suffix):
        mean, square = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (self.p[f"{name}_ln_scale{suffix}"][0] * (x - mean) / numpy.sqrt(square + 1e-6) +
                self.p[f"{name}_ln_bias{suffix}"][0])

    def before(self, x, name):
        return self.norm(x, name, "_pre") if "n" in self.o["transformer-preprocess"] else x

    def after(self, out, x, name):
        for letter in self.o["transformer-postprocess"]:
            out = out + x if letter == "a" else self.norm(out, name, "") if letter == "n" else out
        return out

    def top(self, x, name):
        return self.norm(x, name, "") if "n" in self.o["transformer-postprocess-top"] else x

    def embed(self, ids, name, start):
        table = self.p[name]
        rows = table[ids] if len(ids) else numpy.zeros((0, self.d))
        if start:
            rows = numpy.concatenate([numpy.zeros((1, self.d)), rows])
        if "Wpos" in self.p:
            return rows + self.p["Wpos"][numpy.minimum(numpy.arange(len(rows)), len(self.p["Wpos"]) - 1)]
        n = self.d // 2
        angles = numpy.arange(len(rows))[:, None] * numpy.exp(-numpy.arange(n) * numpy.log(10000) / (n - 1))
        return rows * numpy.sqrt(self.d) + numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], -1)

    def attention(self, q, kv, prefix, causal, rows):
        k = self.dense(kv, prefix + "_Wk", prefix + "_bk", rows and causal)
        v = self.dense(kv, prefix + "_Wv", prefix + "_bv", rows and causal)
        q = self.dense(q, prefix + "_Wq", prefix + "_bq", rows)
        dh, out = self.d // self.heads, []
        for head in range(self.heads):
            part = slice(head * dh, head * dh + dh)
            scores = q[:, part] @ k[:, part].T / numpy.sqrt(dh)
            if causal:
                scores = numpy.where(numpy.tri(*scores.shape), scores, -numpy.inf)
            out.append(softmax(scores) @ v[:, part])
        return self.dense(numpy.concatenate(out, -1), prefix + "_Wo", prefix + "_bo", rows)

    def ffn(self, x, prefix, rows):
        y = self.before(x, prefix + "_ffn")
        y = ACTIVATIONS[self.o["transformer-ffn-activation"]](self.dense(y, prefix + "_W1", prefix + "_b1", rows))
        return self.after(self.dense(y, prefix + "_W2", prefix + "_b2", rows), x, prefix + "_ffn")

    def ssru(self, x, prefix):
        u = self.before(x, prefix) if "n" in self.o["transformer-preprocess"] else x
        z = self.dense(u, prefix + "_W", None, True)
        f = sigmoid(self.dense(u, prefix + "_Wf", prefix + "_bf", True))
        state, out = numpy.zeros(self.d), []
        for t in range(len(x)):
            state = f[t] * state + (1 - f[t]) * z[t]
            out.append(numpy.maximum(state, 0))
        return self.after(numpy.array(out), x, prefix + "_ffn")

    def encode(self, source):
        x = self.embed(source, "Wemb" if "Wemb" in self.p else "encoder_Wemb", False)
        for i in range(1, self.o["enc-depth"] + 1):
            p = f"encoder_l{i}_self"
            u = self.before(x, p + "_Wo")
            x = self.after(self.attention(u, u, p, False, False), x, p + "_Wo")
            x = self.ffn(x, f"encoder_l{i}_ffn", False)
        return self.top(x, "encoder_top")

    def log_probs(self, source, target):
        """[len(target) + 1, vocabulary]: after each token of the target, the first row after none."""
        memory = self.encode(source)
        embedding = "Wemb" if "Wemb" in self.p else "decoder_Wemb"
        x = self.embed(target, embedding, True)
        for i in range(1, self.o["dec-depth"] + 1):
            if self.o["transformer-decoder-autoreg"] == "rnn":
                x = self.ssru(x, f"decoder_l{i}_rnn")
            else:
                p = f"decoder_l{i}_self"
                u = self.before(x, p + "_Wo")
                x = self.after(self.attention(u, u, p, True, True), x, p + "_Wo")
            p = f"decoder_l{i}_context"
            x = self.after(self.attention(self.before(x, p + "_Wo"), memory, p, False, True), x, p + "_Wo")
            x = self.ffn(x, f"decoder_l{i}_ffn", True)
        logits = self.project(self.top(x, "decoder_top"), embedding)
        return logits - numpy.log(numpy.exp(logits - logits.max(-1, keepdims=True)).sum(-1, keepdims=True)) - \
            logits.max(-1, keepdims=True)

    def project(self, x, embedding):
        output = "decoder_ff_logit_out_Wt" if "decoder_ff_logit_out_Wt" in self.p else embedding
        if output in self.integers:
            w, scale, alpha = self.integers[output]
            self.integers["output"] = (w.T, scale, alpha)
            logits = self.dense(x, "output", None, True)
        else:
            logits = x @ self.p[output].T
        return logits + self.p["decoder_ff_logit_out_b"][0]

    def greedy(self, source, longest, unk=1, eos=0, allowed=None):
        """(ids with the end, log-probabilities, smallest distance to the second best)"""
        ids, scores, margin = [], [], numpy.inf
        while len(ids) < longest:
            row = self.log_probs(source, ids)[-1].copy()
            if allowed is not None:
                masked = numpy.full_like(row, -numpy.inf)
                masked[allowed] = row[allowed] - numpy.log(numpy.exp(row[allowed]).sum())
                row = masked
            row[unk] = -numpy.inf
            order = numpy.argsort(row)
            margin = min(margin, row[order[-1]] - row[order[-2]])
            ids.append(int(order[-1]))
            scores.append(row[order[-1]])
            if ids[-1] == eos:
                break
        return ids, scores, margin


def alphas(options, parameters, pairs, largest_output_input=4.0):
    """As extract_stats.py of the fork has it: 127 / (mean of the largest inputs + 1.1 deviations). That of the output
    layer is 127 / largest_output_input; None: as of the others."""
    seen = {}

    class Watching(Reference):
        def dense(self, x, weight, bias=None, rows=False):
            seen.setdefault(weight, []).append(numpy.abs(x).max())
            return super().dense(x, weight, bias, rows)

        def project(self, x, embedding):
            seen.setdefault("none", []).append(numpy.abs(x).max())
            return super().project(x, embedding)

    watching = Watching(options, parameters)
    for source, target in pairs:
        watching.log_probs(source, target)
    value = lambda largest: numpy.float32(127 / (numpy.mean(largest) + 1.1 * numpy.std(largest)))
    result = {f"{name}_QuantMultA": numpy.full((1,), value(largest), "f4") for name, largest in seen.items()}
    # The decoder's last norm bounds the output layer's input.
    if largest_output_input:
        result["none_QuantMultA"] = numpy.full((1,), 127 / largest_output_input, "f4")
    result["Wemb_QuantMultA"] = result["none_QuantMultA"]
    return result


def quantised(parameters, fork):
    """What Reference takes: integers with their multipliers, and all parameters as integers give them back."""
    integers = {}
    for key, value in parameters.items():
        if key.endswith("_QuantMultA") or not (marian_file.is_matrix_of_layer(key) or (fork and "Wemb" in key)):
            continue
        alpha = parameters.get(key + "_QuantMultA")
        if alpha is not None and "Wemb" in key:  # an integer itself
            q, scale = marian_file.quantise(alpha)
            alpha = q.astype("f4") / scale
        integers[key] = (*marian_file.quantise(value), None if alpha is None else alpha[0])
    return integers, {key: (integers[key][0] / integers[key][1].astype("f8") if key in integers else value)
                      for key, value in parameters.items()}
