import { classifyPath } from "../../src/discover/classifyPath.ts";
import { discoverFiles } from "../../src/discover/discoverFiles.ts";
import { readSource } from "../../src/discover/readSource.ts";
import { parseFile } from "../../src/parse/parseFile.ts";
import { commentPairs } from "./commentPairs.ts";
import { commitPairs } from "./commitPairs.ts";
import { markdownPairs } from "./markdownPairs.ts";
import type { Pair } from "./pair.ts";
import { sourcePairs } from "./sourcePairs.ts";

const MOST_FILE_BYTES = 250_000;
const UNREPRESENTATIVE = /(?:^|\/)(?:fixtures?|testdata|snapshots?|locales?|i18n|translations|benchmarks?\/data)\//i;
const PROSE = /\.(?:md|markdown|mdx)$/i;

/** All pairs of one checkout, at most `maxBytes` of its source read, in path order. */
export async function mineCheckout(checkout: string, maxBytes: number): Promise<Pair[]> {
	const pairs = await commitPairs(checkout);
	const definitions = new Map<string, { code: string; path: string }>();
	const documents: { path: string; text: string }[] = [];
	let bytes = 0;
	for (const path of await paths(checkout)) {
		const source = await readSource(checkout, path, MOST_FILE_BYTES);
		if (source.kind !== "text" || source.generated) continue;
		const text = source.text.replaceAll("\r\n", "\n");
		if (PROSE.test(path)) documents.push({ path, text });
		else if (bytes < maxBytes) {
			bytes += text.length;
			const parsed = await parseFile(path, text);
			const found =
				parsed.method === "lines"
					? commentPairs(path, text)
					: sourcePairs(path, text, parsed, classifyPath(path) === "test");
			pairs.push(...found);
			for (const chunk of parsed.chunks) {
				if (chunk.name.length > 4 && !definitions.has(chunk.name))
					definitions.set(chunk.name, { code: text.slice(chunk.start, chunk.end), path });
			}
		}
	}
	for (const { path, text } of documents) pairs.push(...markdownPairs(path, text, definitions));
	return pairs;
}

async function paths(checkout: string): Promise<string[]> {
	const { files } = await discoverFiles(checkout);
	return files
		.filter(({ path, role }) => role !== "vendored" && role !== "generated" && !UNREPRESENTATIVE.test(path))
		.map(({ path }) => path);
}
