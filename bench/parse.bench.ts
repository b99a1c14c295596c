// Parsing with all facts, beside the bare grammar on the same texts in the same run. Argument: a folder of sources.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { discoverFiles, parseFile, readSource } from "pairofcleats";
import { Language, Parser } from "web-tree-sitter";

const ROOT = process.argv[2] ?? join(import.meta.dirname, "..");
const MAX_BYTES = 4_000_000;
const ROUNDS = 5;
/** Facts may cost as much as the parse itself. */
const RATIO_FLOOR = 0.5;
const GRAMMARS = {
	typescript: /\.[cm]?ts$/,
	javascript: /\.[cm]?jsx?$/,
	python: /\.py$/,
	go: /\.go$/,
	java: /\.java$/,
} as const;

const folder = join(dirname(createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm/package.json")), "wasm");
const { root, files } = await discoverFiles(ROOT);
// Started by the package itself, as in a build.
await parseFile("a.ts", "export const a = 1;\n");
for (const [language, extension] of Object.entries(GRAMMARS)) {
	const texts = await textsOf(extension);
	const bytes = texts.reduce((sum, { text }) => sum + text.length, 0);
	if (bytes < 200_000) continue;
	const parser = new Parser();
	parser.setLanguage(await Language.load(join(folder, `tree-sitter-${language}.wasm`)));
	const bare = (text: string): void => parser.parse(text)?.delete();
	let chunks = 0;
	const whole = async (path: string, text: string): Promise<void> => {
		chunks += (await parseFile(path, text)).chunks.length;
	};
	// Two rounds warm both; of the others the best counts, as machines are busy and the ratio is the figure.
	let bareSeconds = Number.POSITIVE_INFINITY;
	let wholeSeconds = Number.POSITIVE_INFINITY;
	for (let round = 0; round < ROUNDS; round += 1) {
		chunks = 0;
		const bareRound = await cpuSeconds(async () => texts.forEach(({ text }) => void bare(text)));
		const wholeRound = await cpuSeconds(async () => {
			for (const { path, text } of texts) await whole(path, text);
		});
		if (round < 2) continue;
		bareSeconds = Math.min(bareSeconds, bareRound);
		wholeSeconds = Math.min(wholeSeconds, wholeRound);
	}
	const ratio = Number((bareSeconds / wholeSeconds).toFixed(2));
	const figures = { files: texts.length, megabytes: mega(bytes), chunks, perCpuSecond: mega(bytes / wholeSeconds) };
	const baseline = { name: "bare grammar", perCpuSecond: mega(bytes / bareSeconds) };
	const verdict = { ratio, floor: RATIO_FLOOR, met: ratio >= RATIO_FLOOR };
	console.log(JSON.stringify({ figure: `parse ${language}`, ...figures, baseline, ...verdict }));
	parser.delete();
}

async function textsOf(extension: RegExp): Promise<{ path: string; text: string }[]> {
	const texts: { path: string; text: string }[] = [];
	let bytes = 0;
	for (const { path } of files.filter((file) => extension.test(file.path))) {
		const source = await readSource(root, path);
		if (source.kind !== "text" || source.text.length > 400_000) continue;
		texts.push({ path, text: source.text });
		bytes += source.text.length;
		if (bytes > MAX_BYTES) break;
	}
	return texts;
}

async function cpuSeconds(work: () => Promise<void>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1e6;
}

function mega(bytes: number): number {
	return Number((bytes / 1e6).toFixed(2));
}
