// node model/mine.ts <checkouts> <out> [--max-mb 8]: one file of token pairs per checkout, one pair to a line.

import { existsSync } from "node:fs";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listEmbeddingTokens, listPathTokens } from "../src/tokens/words.ts";
import { mineCheckout } from "./mine/mineCheckout.ts";
import type { Pair } from "./mine/pair.ts";

const LONGEST_QUERY = 48;
const { values, positionals } = parseArgs({
	options: { "max-mb": { type: "string", default: "8" }, part: { type: "string", default: "0/1" } },
	allowPositionals: true,
});
const [checkouts, out] = positionals;
if (checkouts === undefined || out === undefined)
	throw new Error("usage: node model/mine.ts <checkouts> <out> [--max-mb 8] [--part 0/2]");
const [part = 0, parts = 1] = values.part.split("/").map(Number);
await mkdir(out, { recursive: true });
for (const [index, name] of (await readdir(checkouts)).sort().entries()) {
	const file = join(out, `${name}.tsv`);
	if (index % parts !== part || existsSync(file)) continue;
	const pairs = await mineCheckout(join(checkouts, name), Number(values["max-mb"]) * 1_000_000);
	const lines = pairs.map(toLine).filter((line) => line !== undefined);
	await writeFile(`${file}.part`, lines.join("\n"));
	await rename(`${file}.part`, file);
	console.log(`${name}: ${lines.length} pairs`);
}

// kind, path, query tokens, code tokens with repeats, path tokens
function toLine({ kind, query, code, path }: Pair): string | undefined {
	const asked = listEmbeddingTokens(query).slice(0, LONGEST_QUERY);
	const answered = listEmbeddingTokens(code);
	if (asked.length < 2 || answered.length < 6) return undefined;
	return [kind, path, asked.join(" "), answered.slice(0, 400).join(" "), listPathTokens(path).join(" ")].join("\t");
}
