// Before a package is packed, in its folder: brings what belongs into the tarball and lives once at the top; `--undo` after.
import { cpSync, existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "./run.ts";

const PAGES: Readonly<Record<string, string>> = { holdfast: "README.md", libmcp: "docs/writing-a-server.md" };

const name = basename(process.cwd());
const brought: readonly (readonly [from: string, to: string])[] = [
	["LICENSE", "LICENSE"],
	[PAGES[name] ?? `docs/${name}.md`, "README.md"],
	...(name === "holdfast" ? [["skills", "skills"] as const] : []),
];
for (const [from, to] of brought) {
	if (process.argv.includes("--undo")) rmSync(to, { recursive: true, force: true });
	else if (existsSync(join(ROOT, from))) cpSync(join(ROOT, from), to, { recursive: true });
	else throw new Error(`${name}: ${from} belongs into the package and does not exist`);
}
