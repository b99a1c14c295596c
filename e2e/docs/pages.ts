import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

/** Every page that a reader may type from, the first ones in the order they are read. */
export const PAGES: readonly string[] = [
	"README.md",
	"docs/getting-started.md",
	...readdirSync(join(ROOT, "docs"))
		.filter((name) => name.endsWith(".md") && name !== "getting-started.md")
		.sort()
		.map((name) => `docs/${name}`),
	"CONTRIBUTING.md",
];

const PROGRAMS = "holdfast|pairofcleats|synesthetic|metatools|npm|npx|node|curl|docker|systemctl|cp|echo";
const COMMAND = new RegExp(`^(?:${PROGRAMS}) `);

/** The command lines of a page: of its blocks, comments aside, and those in its text. */
export function commandsOf(page: string): readonly string[] {
	const text = readFileSync(join(ROOT, page), "utf8");
	const lines = blocksOf(page, "sh")
		.flatMap((body) => body.split("\n"))
		.flatMap((line) => line.replace(/ +#.*/, "").split(" && "));
	const inText = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
	// A program's bare name in the text speaks of the program.
	const all = [...lines.map((line) => `${line.trim()} `), ...inText];
	return [...new Set(all.filter((line) => COMMAND.test(line)).map((line) => line.trim()))];
}

/** The blocks of one language. */
export function blocksOf(page: string, language: string): string[] {
	const text = readFileSync(join(ROOT, page), "utf8");
	const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)];
	return blocks.flatMap(([, named, body = ""]) => (named === language ? [body] : []));
}
