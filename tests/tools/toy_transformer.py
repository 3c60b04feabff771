# SPDX-License-Identifier: Apache-2.0
"""Trains the small models of make_random_models.py for a minute on a toy language. Needs jax and optax.

The forward pass here only has to be close to CTranslate2's: what tests compare with is CTranslate2's own output.
"""
import jax
import jax.numpy as jnp
import numpy as np
import optax

ACTIVATIONS = {
    "relu": jax.nn.relu, "gelu_tanh": lambda x: jax.nn.gelu(x, approximate=True), "swish": jax.nn.silu,
    "gelu": lambda x: jax.nn.gelu(x, approximate=False), "gelu_sigmoid": lambda x: x * jax.nn.sigmoid(1.702 * x),
    "tanh": jnp.tanh, "sigmoid": jax.nn.sigmoid,
}


class ToyLanguage:
    """Each source word becomes one or two target words, sometimes one of two, and some swap with their successor."""

    def __init__(self, source_words, target_words, unk, seed):
        self.source, self.target, self.unk = source_words, target_words, unk
        self.rng = np.random.default_rng(seed)
        order = self.rng.permutation(len(target_words))
        self.first = {word: target_words[order[i % len(order)]] for i, word in enumerate(source_words)}
        self.other = {word: target_words[order[(i * 7 + 3) % len(order)]] for i, word in enumerate(source_words)}

    def sample(self, longest):
        words = [self.source[i] for i in self.rng.integers(len(self.source), size=self.rng.integers(1, longest + 1))]
        groups = []
        for word in words:
            index = self.source.index(word)
            group = [self.other[word] if self.rng.random() < 0.25 else self.first[word]]
            if index % 4 == 0:
                group.append(self.target[(index * 5 + 1) % len(self.target)])
            groups.append((index, group))
        for i in range(len(groups) - 1):
            if groups[i][0] % 5 == 1:
                groups[i], groups[i + 1] = groups[i + 1], groups[i]
        for i, (_, group) in enumerate(groups):
            if self.rng.random() < 0.02:
                group[0] = self.unk
        return words, [token for _, group in groups for token in group]


def sinusoid(length, depth):
    half = depth // 2
    rates = np.exp(-np.arange(half) * np.log(10000) / (half - 1))
    angles = (np.arange(length) + 1)[:, None] * rates
    return jnp.asarray(np.concatenate([np.sin(angles), np.cos(angles)], 1), jnp.float32)


def relative_bucket(length, buckets, distance, bidirectional):
    relative = np.arange(length)[None, :] - np.arange(length)[:, None]
    base = np.zeros_like(relative)
    if bidirectional:
        buckets //= 2
        base, relative = buckets * (relative > 0), np.abs(relative)
    else:
        relative = -np.minimum(relative, 0)
    exact = buckets // 2
    far = exact + (np.log(np.maximum(relative, 1) / exact) / np.log(distance / exact) * (buckets - exact)).astype(int)
    return base + np.where(relative < exact, relative, np.minimum(far, buckets - 1))


class Network:
    def __init__(self, options, aliases):
        self.o, self.aliases = options, dict(aliases)

    def get(self, p, name):
        return p.get(self.aliases.get(name, name))

    def linear(self, p, scope, x):
        y = x @ self.get(p, scope + "/weight").T
        bias = self.get(p, scope + "/bias")
        return y if bias is None else y + bias

    def norm(self, p, scope, x):
        gamma, beta = p[scope + "/gamma"], p.get(scope + "/beta")
        epsilon = self.o["epsilon"] or (1e-6 if self.o["rms"] else 1e-5)
        if not self.o["rms"]:
            x = x - x.mean(-1, keepdims=True)
        x = x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + epsilon) * gamma
        return x if beta is None else x + beta

    def attend(self, p, scope, x, memory, mask, bias):
        o = self.o
        if memory is None:
            q, k, v = jnp.split(self.linear(p, scope + "/linear_0", x), 3, -1)
            out = "/linear_1"
        else:
            q = self.linear(p, scope + "/linear_0", x)
            k, v = jnp.split(self.linear(p, scope + "/linear_1", memory), 2, -1)
            out = "/linear_2"
        split = lambda t: t.reshape(*t.shape[:2], o["heads"], -1).swapaxes(1, 2)
        q, k, v = split(q), split(k), split(v)
        scores = q @ k.swapaxes(-1, -2) * (o["queries_scale"] or q.shape[-1] ** -0.5)
        scores = jnp.where(mask, scores + bias, -1e9)
        context = (jax.nn.softmax(scores, -1) @ v).swapaxes(1, 2)
        return self.linear(p, scope + out, context.reshape(*context.shape[:2], -1))

    def sublayer(self, p, scope, x, run):
        if self.o["pre_norm"]:
            return x + run(self.norm(p, scope + "/layer_norm", x))
        return self.norm(p, scope + "/layer_norm", x + run(x))

    def feed_forward(self, p, scope, x):
        hidden = ACTIVATIONS[self.o["activation"]](self.linear(p, scope + "/linear_0", x))
        if self.o["gated"]:
            hidden = hidden * self.linear(p, scope + "/linear_0_noact", x)
        return self.linear(p, scope + "/linear_1", hidden)

    def stack(self, p, stack, ids, layers, mask, memory=None, memory_mask=None):
        o = self.o
        length = ids.shape[1]
        name = "decoder/embeddings/weight" if stack == "decoder" else o["source_embeddings"]
        scale = o["d"] ** 0.5 if o["scale"] == "sqrt" else (o["scale"] or 1.0)
        x = self.get(p, name)[ids] * scale
        if stack == "decoder" and o["zero_start"]:
            x = x.at[:, 0].set(0)
        bias = 0.0
        if o["relative"]:
            table = p[f"{stack}/layer_0/self_attention/relative_attention_bias"]
            bias = table[relative_bucket(length, *o["relative"], stack == "encoder")].transpose(2, 0, 1)
        elif o["positions"]:
            x = x + p[stack + "/position_encodings/encodings"][:length]
        else:
            x = x + sinusoid(length, o["d"])
        if o["embedding_norm"]:
            x = self.norm(p, stack + "/layernorm_embedding", x)
        for i in range(layers):
            scope = f"{stack}/layer_{i}"
            x = self.sublayer(p, scope + "/self_attention", x,
                              lambda t: self.attend(p, scope + "/self_attention", t, None, mask, bias))
            if memory is not None:
                x = self.sublayer(p, scope + "/attention", x,
                                  lambda t: self.attend(p, scope + "/attention", t, memory, memory_mask, 0.0))
            x = self.sublayer(p, scope + "/ffn", x, lambda t: self.feed_forward(p, scope + "/ffn", t))
        return self.norm(p, stack + "/layer_norm", x) if o["final_norm"] else x

    def loss(self, p, batch):
        source, inputs, outputs, source_mask, weights = batch
        keys = source_mask[:, None, None, :]
        memory = self.stack(p, "encoder", source, self.o["layers"][0], keys)
        causal = jnp.tril(jnp.ones((inputs.shape[1],) * 2, bool))[None, None]
        x = self.stack(p, "decoder", inputs, self.o["layers"][1], causal, memory, keys)
        if self.o["scale_outputs"]:
            x = x * self.o["d"] ** -0.5
        logits = self.linear(p, "decoder/projection", x)
        return (optax.softmax_cross_entropy_with_integer_labels(logits, outputs) * weights).sum() / weights.sum()


def batches(options, language, source_ids, target_ids, size, longest):
    """Padded to one shape, so that the step is compiled once."""
    o = options
    while True:
        source = np.zeros((size, longest + 2), np.int32)
        inputs, outputs = np.zeros((2, size, 2 * longest + 2), np.int32)
        mask, weights = np.zeros(source.shape, bool), np.zeros(inputs.shape, np.float32)
        for row in range(size):
            words, translation = language.sample(longest)
            words = ["<s>"] * o["source_bos"] + words + ["</s>"]
            start = [o["start"]] if o["start"] else []
            given = start + list(o["prefix"]) + translation
            wanted = (given + ["</s>"])[1:]
            source[row, :len(words)] = [source_ids[word] for word in words]
            mask[row, :len(words)] = True
            inputs[row, :len(given)] = [target_ids[token] for token in given]
            outputs[row, :len(wanted)] = [target_ids[token] for token in wanted]
            weights[row, :len(wanted)] = 1
        yield source, inputs, outputs, mask, weights


def train(options, variables, aliases, language, source, target, steps=1500, size=48, longest=13):
    """Returns the variables with trained values. source, target: vocabularies."""
    network = Network(options, aliases)
    trained = {name: jnp.asarray(value) for name, value in variables.items()
               if value.shape and value.dtype == np.float32}
    schedule = optax.warmup_cosine_decay_schedule(0, 6e-3, 100, steps, 2e-4)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(schedule, b2=0.98))
    state = optimizer.init(trained)

    @jax.jit
    def step(parameters, state, batch):
        loss, gradient = jax.value_and_grad(network.loss)(parameters, batch)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(parameters, updates), state, loss

    ids = lambda tokens: {token: i for i, token in enumerate(tokens)}
    feed = batches(options, language, ids(source), ids(target), size, longest)
    average = None
    for _ in range(steps):
        trained, state, loss = step(trained, state, next(feed))
        average = float(loss) if average is None else 0.98 * average + 0.02 * float(loss)
    print(f"  loss {average:.3f} after {steps} steps")
    return {**variables, **{name: np.asarray(value) for name, value in trained.items()}}
