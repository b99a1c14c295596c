"""Trains the token table: python3 train.py <packed> <model> [--dims 256] [--epochs 3] [--batch 8192] [--seed 1].

One table for questions and code; a text is the weighted sum of its tokens' rows. Symmetric InfoNCE, half of it over
the whole batch and half inside groups of one repository, so that a repository's own words do not answer for it.
Runs on a GPU when there is one, else on the CPU. The same file, seed and hardware give the same bytes.
"""
import argparse
import hashlib
import json
import lzma
import math
import pickle
import struct

import numpy as np
import torch
import torch.nn.functional as F

KIND_WEIGHT = {"doc": 2, "commit": 2, "inline": 0.5, "name": 0.3, "path": 0.1, "test": 1, "mdcode": 1, "mdmention": 1, "file": 6}
KINDS = ["doc", "commit", "inline", "name", "path", "test", "mdcode", "mdmention", "file"]
SCALE, CODE_DROPOUT, QUERY_DROPOUT, WARM_UP = 15.0, 0.2, 0.1, 30
MAGIC, VERSION = b"HFTT", 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("packed"), parser.add_argument("model")
    for name, default in (("dims", 256), ("epochs", 3), ("batch", 8192), ("group", 256), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--name", default="holdfast-code")
    parser.add_argument("--path-weight", type=float, default=2.0)
    parser.add_argument("--decay", type=float, default=1.0)
    options = parser.parse_args()
    with lzma.open(options.packed) as file:
        data = pickle.load(file)
    torch.manual_seed(options.seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pairs = Pairs(data, device)
    table = Table(data, options.dims, pairs.count, device)
    train(pairs, table, options)
    size = write_model(options, data["vocabulary"], table)
    print(f"{options.model}: {len(data['vocabulary'])} tokens x {options.dims}, {size / 1e6:.1f} MB, {pairs.count} pairs")


class Pairs:
    """The packed arrays on the device, and batches of them: groups of one repository, kinds by weight."""

    def __init__(self, data, device):
        arrays = data["arrays"]
        self.device, self.count = device, len(arrays["kind"])
        self.arrays = {name: torch.from_numpy(values.astype(np.int64)).to(device) for name, values in arrays.items()}
        weight = np.array([KIND_WEIGHT[kind] for kind in KINDS])[arrays["kind"]]
        self.repos = []
        for repo in range(len(data["repos"])):
            rows = np.flatnonzero(arrays["repo"] == repo)
            if len(rows) >= 8:
                self.repos.append((torch.from_numpy(rows).to(device), torch.from_numpy(weight[rows]).to(device)))
        sizes = torch.tensor([len(rows) for rows, _ in self.repos], dtype=torch.float64)
        self.repo_weight = sizes**0.7

    def batch(self, groups, size):
        chosen = torch.multinomial(self.repo_weight, groups, replacement=groups > len(self.repos))
        rows = []
        for repo in chosen.tolist():
            members, weight = self.repos[repo]
            rows.append(members[torch.multinomial(weight, size, replacement=len(members) < size)])
        return torch.cat(rows)

    def tokens(self, name, rows):
        """Flat tokens of the rows, and which row each belongs to."""
        ends = self.arrays[f"{name}_ends"]
        start, length = ends[rows], ends[rows + 1] - ends[rows]
        owner = torch.repeat_interleave(torch.arange(len(rows), device=self.device), length)
        first = torch.cumsum(length, 0) - length
        position = torch.arange(len(owner), device=self.device) - first[owner]
        return start[owner] + position, owner, position, length


class Table(torch.nn.Module):
    def __init__(self, data, dims, count, device):
        super().__init__()
        df = torch.from_numpy(data["arrays"]["df"].astype(np.float32))
        idf = torch.log(torch.log(1 + count / (1 + df)).clamp_min(0.05))
        self.rows = torch.nn.Parameter(torch.randn(len(df), dims) / math.sqrt(dims))
        self.code_weight = torch.nn.Parameter(idf.clone())
        self.query_weight = torch.nn.Parameter(idf.clone())
        self.to(device)

    def bag(self, tokens, owner, weight, count):
        order = torch.argsort(owner, stable=True)
        lengths = torch.bincount(owner, minlength=count)
        offsets = torch.cumsum(lengths, 0) - lengths
        return F.embedding_bag(tokens[order], self.rows, offsets, mode="sum", per_sample_weights=weight[order])


def embed_queries(pairs, table, rows):
    at, owner, position, length = pairs.tokens("query", rows)
    # Half of the long questions are cut to a run of 4 to 12 words: people ask short.
    cut = torch.randint(4, 13, (len(rows),), device=pairs.device)
    cut = torch.where((length > 6) & (torch.rand(len(rows), device=pairs.device) < 0.5), torch.minimum(cut, length), length)
    start = (torch.rand(len(rows), device=pairs.device) * (length - cut + 1)).long()
    keep = (position >= start[owner]) & (position < (start + cut)[owner])
    keep &= (torch.rand(len(owner), device=pairs.device) > QUERY_DROPOUT) | (cut[owner] < 3)
    tokens, owner = pairs.arrays["query"][at[keep]], owner[keep]
    return F.normalize(table.bag(tokens, owner, table.query_weight.exp()[tokens], len(rows)), dim=1)


def embed_code(pairs, table, rows, path_weight):
    at, owner, _, _ = pairs.tokens("code", rows)
    keep = torch.rand(len(owner), device=pairs.device) > CODE_DROPOUT
    tokens, owner, counts = pairs.arrays["code"][at[keep]], owner[keep], pairs.arrays["count"][at[keep]]
    path_at, path_owner, _, _ = pairs.tokens("path", rows)
    with_path = (torch.rand(len(rows), device=pairs.device) < 0.5)[path_owner]
    path_tokens, path_owner = pairs.arrays["path"][path_at[with_path]], path_owner[with_path]
    tokens, owner = torch.cat([tokens, path_tokens]), torch.cat([owner, path_owner])
    times = torch.cat([counts.float().sqrt(), torch.full((len(path_tokens),), path_weight, device=pairs.device)])
    return F.normalize(table.bag(tokens, owner, times * table.code_weight.exp()[tokens], len(rows)), dim=1)


def contrast(queries, code, same):
    """Symmetric InfoNCE; a pair of the same file is neither right nor wrong."""
    scores = SCALE * queries @ code.transpose(-1, -2)
    scores = scores.masked_fill(same, float("-inf"))
    target = torch.arange(scores.shape[-1], device=scores.device).expand(scores.shape[:-1]).reshape(-1)
    rows, columns = scores.reshape(-1, scores.shape[-1]), scores.transpose(-1, -2).reshape(-1, scores.shape[-1])
    return (F.cross_entropy(rows, target) + F.cross_entropy(columns, target)) / 2


def same_file(files):
    same = files.unsqueeze(-1) == files.unsqueeze(-2)
    return same & ~torch.eye(files.shape[-1], dtype=torch.bool, device=files.device)


def train(pairs, table, options):
    groups = max(1, options.batch // options.group)
    steps = max(1, options.epochs * pairs.count // options.batch)
    optimizer = torch.optim.AdamW(table.parameters(), lr=5e-3, betas=(0.9, 0.99), weight_decay=options.decay)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / WARM_UP, 0.5 * (1 + math.cos(math.pi * step / steps)))
    )
    for step in range(steps):
        rows = pairs.batch(groups, options.group)
        queries, code = embed_queries(pairs, table, rows), embed_code(pairs, table, rows, options.path_weight)
        files = pairs.arrays["file"][rows]
        grouped = (groups, options.group, -1)
        loss = 0.5 * contrast(queries, code, same_file(files)) + 0.5 * contrast(
            queries.view(grouped), code.view(grouped), same_file(files.view(groups, options.group))
        )
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 50 == 0 or step == steps - 1:
            print(f"step {step + 1} of {steps}, loss {loss.item():.4f}", flush=True)


def write_model(options, vocabulary, table):
    """Layout in src/vectors/tokenTable.ts: header, meta, two weights a row, words, int8 rows, sha256 of all before."""
    rows = table.rows.detach().float().cpu().numpy()
    largest = np.maximum(np.abs(rows).max(axis=1), 1e-12)
    quantised = np.clip(np.rint(rows / largest[:, None] * 127), -127, 127).astype(np.int8)
    scale = largest / 127
    weights = [(weight.detach().exp().float().cpu().numpy() * scale).astype("<f4") for weight in (table.code_weight, table.query_weight)]
    words = "\n".join(vocabulary).encode()
    meta = json.dumps({"name": options.name, "seed": options.seed, "epochs": options.epochs}, separators=(",", ":")).encode()
    header = MAGIC + struct.pack("<HHIII", VERSION, options.dims, len(vocabulary), len(words), len(meta))
    body = header + meta + weights[0].tobytes() + weights[1].tobytes() + words + quantised.tobytes()
    with open(options.model, "wb") as out:
        out.write(body + hashlib.sha256(body).digest())
    return len(body)


if __name__ == "__main__":
    main()
