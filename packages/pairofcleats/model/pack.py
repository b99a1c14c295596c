"""Packs mined pairs for training: python3 pack.py <mined> <out.xz> [--max-pairs N] [--min-repos 3] [--min-df 8].

Chooses the vocabulary (tokens seen in enough repositories and pairs), drops repeated questions, and writes flat
arrays: questions keep their order, code is a bag of (token, count).
"""
import argparse
import hashlib
import lzma
import pathlib
import pickle
from collections import Counter

import numpy as np

KINDS = ["doc", "commit", "inline", "name", "path", "test", "mdcode", "mdmention", "file"]
SAME_QUESTION = 6
# Data and markup have no questions of their own; what was mined from them is their file names.
DATA = (".json", ".yml", ".yaml", ".toml", ".xml", ".html", ".css", ".scss", ".txt", ".rst", ".svg", ".csv", ".stub")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mined"), parser.add_argument("out")
    parser.add_argument("--max-pairs", type=int, default=1_400_000)
    parser.add_argument("--min-repos", type=int, default=3)
    parser.add_argument("--min-df", type=int, default=8)
    options = parser.parse_args()
    files = sorted(pathlib.Path(options.mined).glob("*.tsv"))
    pairs = kept_pairs(files, options.max_pairs)
    vocabulary, df = choose_vocabulary(pairs, options.min_repos, options.min_df)
    packed = pack(pairs, vocabulary)
    packed["df"] = np.array([df[token] for token in vocabulary], np.uint32)
    with lzma.open(options.out, "wb", preset=2) as out:
        pickle.dump({"vocabulary": vocabulary, "repos": [file.stem for file in files], "arrays": packed}, out, protocol=4)
    print(f"{len(packed['kind'])} pairs, {len(vocabulary)} tokens, {pathlib.Path(options.out).stat().st_size >> 20} MiB")


def kept_pairs(files, most):
    pairs, asked = [], Counter()
    for repo, file in enumerate(files):
        for line in file.read_text().split("\n"):
            fields = line.split("\t")
            if len(fields) != 5:
                continue
            kind, path, query, code, path_tokens = fields
            if path.lower().endswith(DATA):
                continue
            digest = hashlib.blake2b(line.encode(), digest_size=8).digest()
            asked[query] += 1
            if asked[query] <= SAME_QUESTION:
                pairs.append((digest, repo, kind, path, query.split(), code.split(), path_tokens.split()))
    # Thinning by digest rather than by chance: the same inputs give the same pairs.
    if len(pairs) > most:
        bound = sorted(pair[0] for pair in pairs)[most]
        pairs = [pair for pair in pairs if pair[0] < bound]
    return pairs


def choose_vocabulary(pairs, min_repos, min_df):
    df, repos = Counter(), {}
    for _, repo, _, _, query, code, path in pairs:
        for token in {*query, *code, *path}:
            df[token] += 1
            repos.setdefault(token, set()).add(repo) if len(repos.get(token, ())) < min_repos else None
    chosen = sorted(token for token, count in df.items() if count >= min_df and len(repos[token]) >= min_repos)
    if len(chosen) > 65_000:
        chosen = sorted(sorted(chosen, key=lambda token: (-df[token], token))[:65_000])
    return chosen, df


def pack(pairs, vocabulary):
    row = {token: index for index, token in enumerate(vocabulary)}
    flat = {name: [] for name in ("query", "code", "count", "path")}
    ends = {name: [0] for name in ("query", "code", "path")}
    head = {name: [] for name in ("kind", "repo", "file")}
    files = {}
    for _, repo, kind, path, query, code, path_tokens in pairs:
        questions = [row[token] for token in query if token in row]
        bag = sorted(Counter(row[token] for token in code if token in row).items())
        if len(questions) < 2 or len(bag) < 4:
            continue
        flat["query"] += questions
        flat["code"] += [token for token, _ in bag]
        flat["count"] += [min(count, 255) for _, count in bag]
        flat["path"] += [row[token] for token in path_tokens if token in row]
        for name in ends:
            ends[name].append(len(flat[name]))
        head["kind"].append(KINDS.index(kind)), head["repo"].append(repo)
        head["file"].append(files.setdefault((repo, path), len(files)))
    types = {"query": np.uint16, "code": np.uint16, "count": np.uint8, "path": np.uint16}
    arrays = {name: np.array(values, types[name]) for name, values in flat.items()}
    arrays |= {f"{name}_ends": np.array(values, np.uint32) for name, values in ends.items()}
    return arrays | {"kind": np.array(head["kind"], np.uint8), "repo": np.array(head["repo"], np.uint16), "file": np.array(head["file"], np.uint32)}


if __name__ == "__main__":
    main()
