// The least a build of all symbols can do: read each file, and parse it where a grammar of the same package knows it.
// Arguments: the folder and a JSON file with the paths in it. Prints the processor seconds of this process.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { Language, Parser } from "web-tree-sitter";

const GRAMMARS: Readonly<Record<string, string>> = {
	".ts": "typescript",
	".mts": "typescript",
	".cts": "typescript",
	".tsx": "tsx",
	".js": "javascript",
	".mjs": "javascript",
	".cjs": "javascript",
	".jsx": "javascript",
	".py": "python",
	".go": "go",
	".rs": "rust",
	".java": "java",
	".php": "php",
	".rb": "ruby",
	".css": "css",
	".cs": "c-sharp",
	".cc": "cpp",
	".cpp": "cpp",
	".h": "cpp",
	".c": "cpp",
};

const [root = ".", list = ""] = process.argv.slice(2);
const folder = join(dirname(createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm/package.json")), "wasm");
await Parser.init();
const parsers = new Map<string, Parser>();
let parsed = 0;
for (const path of JSON.parse(readFileSync(list, "utf8"))) {
	const text = readFileSync(join(root, path), "utf8");
	const grammar = GRAMMARS[extname(path)];
	if (grammar === undefined) continue;
	(await parserOf(grammar)).parse(text)?.delete();
	parsed += Buffer.byteLength(text);
}
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ cpuSeconds: (user + system) / 1e6, parsedMegabytes: parsed / 1e6 }));

async function parserOf(grammar: string): Promise<Parser> {
	let parser = parsers.get(grammar);
	if (parser === undefined) {
		parser = new Parser();
		parser.setLanguage(await Language.load(join(folder, `tree-sitter-${grammar}.wasm`)));
		parsers.set(grammar, parser);
	}
	return parser;
}
