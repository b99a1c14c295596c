// Runs in a package's folder before it is packed: copies files that the tarball needs from the root; `--undo` removes them.
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ROOT } from "./run.ts";

const PAGES: Readonly<Record<string, string>> = { holdfast: "README.md", libmcp: "docs/writing-a-server.md" };
const LINK = /\[([^\]]*)\]\(([^)#:\s]+)(?:#[^)]*)?\)/g;

const name = basename(process.cwd());
const brought: readonly (readonly [from: string, to: string])[] = [
	["LICENSE", "LICENSE"],
	[PAGES[name] ?? `docs/${name}.md`, "README.md"],
	...(name === "holdfast" ? (["docs", "skills"] as const).map((folder) => [folder, folder] as const) : []),
];
for (const [from, to] of brought) {
	if (process.argv.includes("--undo")) rmSync(to, { recursive: true, force: true });
	else if (existsSync(join(ROOT, from))) cpSync(join(ROOT, from), to, { recursive: true });
	else throw new Error(`${name}: ${from} belongs into the package and does not exist`);
}
if (!process.argv.includes("--undo")) for (const page of globSync("{README,{docs,skills}/**/*}.md")) keepLinks(page);

/** Replaces links to files outside the package by their text. */
function keepLinks(page: string): void {
	const text = readFileSync(page, "utf8");
	const kept = text.replace(LINK, (link, words, target) => (existsSync(join(dirname(page), target)) ? link : words));
	writeFileSync(page, kept);
}
