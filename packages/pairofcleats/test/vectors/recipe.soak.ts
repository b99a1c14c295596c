import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { mineCheckout } from "../../model/mine/mineCheckout.ts";
import type { Pair } from "../../model/mine/pair.ts";
import { type Embedder, embedQuery, listRows } from "../../src/vectors/embedder.ts";
import { readTokenTable } from "../../src/vectors/readModel.ts";
import { VectorLog } from "../../src/vectors/vectorLog.ts";
import { VectorScan } from "../../src/vectors/vectorScan.ts";

const PACKAGES = fileURLToPath(new URL("../../../", import.meta.url));
const python = ["python3", "/usr/bin/python3"].find(
	(name) => spawnSync(name, ["-c", "import torch, numpy"]).status === 0,
);

void test("the recipe makes, from checkouts, a model that finds code it has not seen better than chance", {
	skip: python === undefined ? "no Python with torch and numpy on this machine" : false,
	timeout: 240_000,
}, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "cleats-recipe-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const checkouts = join(folder, "checkouts");
	for (const name of ["libmcp", "metatools", "pairofcleats"]) {
		mkdirSync(join(checkouts, name), { recursive: true });
		cpSync(join(PACKAGES, name, "src"), join(checkouts, name, "src"), { recursive: true });
	}
	const model = join(folder, "tiny.model");
	const make = fileURLToPath(new URL("../../model/make.ts", import.meta.url));
	const options = ["--work", folder, "--min-repos", "2", "--min-df", "3", "--python", python ?? ""];
	const training = ["--dims", "32", "--epochs", "12", "--batch", "512", "--group", "128", "--name", "tiny"];
	const made = spawnSync(
		process.execPath,
		["--disable-warning=ExperimentalWarning", make, checkouts, model, ...options, "--", ...training],
		{ encoding: "utf8" },
	);
	assert.equal(made.status, 0, made.stderr);
	const table = readTokenTable(readFileSync(model));
	assert.equal(table.dims, 32);
	const unseen = (await mineCheckout(join(PACKAGES, "synesthetic", "src"), 5_000_000)).filter(
		(pair) => pair.kind === "doc",
	);
	assert.ok(unseen.length > 20);
	const trained = reciprocalRank(table, unseen);
	// Random rows still distinguish equal words from others; with several seeds, some are lucky.
	const noisy = [1, 2, 3, 4, 5].map((seed) => reciprocalRank(withNoise(table, seed), unseen));
	const chance = noisy.reduce((sum, rank) => sum + rank, 0) / noisy.length;
	t.diagnostic(
		`mean reciprocal rank over ${unseen.length} unseen definitions: ${trained.toFixed(3)}, random rows ${chance.toFixed(3)} (${noisy.map((rank) => rank.toFixed(3)).join(", ")})`,
	);
	assert.ok(trained > chance, `${trained} against ${chance}`);
});

function reciprocalRank(table: Embedder, pairs: readonly Pair[]): number {
	const log = new VectorLog(table);
	for (const [place, { code }] of pairs.entries()) {
		log.startFile("");
		log.startChunk(place);
		// Short enough for one vector each.
		log.addWord(listRows(table, code).slice(0, 250));
		log.endFile();
	}
	const vectors = log.finish();
	const files = [{ first: 0, docs: pairs.length }];
	const scan = new VectorScan({ segments: [{ id: 1, base: 0 }], files }, table.dims, () => vectors);
	let sum = 0;
	for (const [index, { query }] of pairs.entries()) {
		const asked = embedQuery(table, query);
		if (asked === undefined) continue;
		const scores = pairs.map(() => -1);
		scan.ask(asked);
		for (const [place, score] of scan.ofAll().entries()) scores[vectors.docs[place] ?? 0] = score;
		sum += 1 / scores.filter((score) => score >= (scores[index] ?? 0)).length;
	}
	return sum / pairs.length;
}

function withNoise(table: Embedder, seed: number): Embedder {
	let state = 99 * seed;
	const rows = Int8Array.from(table.table, () => {
		state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
		return state >> 16;
	});
	return { ...table, table: rows };
}
