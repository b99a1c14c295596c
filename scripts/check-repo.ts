// The repository's own rules, each failure with its file and the rule it breaks.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ROOT } from "./run.ts";

const MAX_LINES = 400;
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
	libmcp: [],
	pairofcleats: ["libmcp"],
	synesthetic: ["libmcp"],
	metatools: ["libmcp"],
	holdfast: ["libmcp", "pairofcleats", "synesthetic", "metatools"],
};
const PACKAGES = Object.keys(MAY_IMPORT);
const OWN_VARIABLE = /\b(?:HOLDFAST|LIBMCP|PAIROFCLEATS|SYN|METATOOLS)_[A-Z0-9_]*[A-Z0-9]\b/g;

const problems: string[] = [];
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" })
	.split("\n")
	.filter((file) => file !== "" && existsSync(join(ROOT, file)));
const sources = files.filter((file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file));
const documents = files.filter((file) => file.endsWith(".md"));

for (const file of sources) {
	checkLength(file);
	checkImports(file);
}
checkVariables();
for (const file of documents) checkPaths(file);
checkIndex();
checkDocumentShare();

for (const problem of problems) console.error(problem);
console.log(`${sources.length} modules and ${documents.length} documents checked, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function read(file: string): string {
	return readFileSync(join(ROOT, file), "utf8");
}

function lines(file: string): number {
	return read(file).split("\n").length - 1;
}

function checkLength(file: string): void {
	const count = lines(file);
	if (count > MAX_LINES) problems.push(`${file}: ${count} lines; a module has at most ${MAX_LINES}`);
}

function checkImports(file: string): void {
	const owner = file.split("/")[1] ?? "";
	for (const [, specifier = ""] of read(file).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
		const target = PACKAGES.find((name) => specifier === name || specifier.startsWith(`${name}/`));
		if (target !== undefined && target !== owner && !MAY_IMPORT[owner]?.includes(target)) {
			problems.push(
				`${file}: imports ${specifier}; ${owner} may import ${MAY_IMPORT[owner]?.join(", ") || "no other package"}`,
			);
		}
		if (specifier.startsWith(".") && !normalize(join(dirname(file), specifier)).startsWith(`packages/${owner}/`)) {
			problems.push(`${file}: imports ${specifier}; other packages are reached by name`);
		}
	}
}

function checkVariables(): void {
	const named = variablesIn(sources);
	const documented = variablesIn(documents);
	for (const name of named)
		if (!documented.has(name)) problems.push(`docs: environment variable ${name} is in the code and in no document`);
	for (const name of documented)
		if (!named.has(name)) problems.push(`docs: environment variable ${name} is documented and in no code`);
}

function variablesIn(texts: readonly string[]): Set<string> {
	return new Set(texts.flatMap((file) => read(file).match(OWN_VARIABLE) ?? []));
}

function checkPaths(file: string): void {
	const text = read(file);
	for (const [, path = ""] of text.matchAll(
		/`((?:packages|scripts|contracts|e2e|bench|examples|docs|skills|deploy)\/[\w./-]+)`/g,
	)) {
		if (!path.includes("*") && !path.includes("/dist") && !existsSync(join(ROOT, path)))
			problems.push(`${file}: names ${path}, which does not exist`);
	}
	for (const [, link = ""] of text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)) {
		if (!existsSync(join(ROOT, dirname(file), link))) problems.push(`${file}: links to ${link}, which does not exist`);
	}
}

/** Every page can be found from the README. */
function checkIndex(): void {
	const index = read("README.md");
	for (const page of documents.filter((file) => file.startsWith("docs/")))
		if (!index.includes(`](${page}`)) problems.push(`README.md: links to no ${page}`);
}

function checkDocumentShare(): void {
	const written = documents.reduce((sum, file) => sum + lines(file), 0);
	const code = sources.reduce((sum, file) => sum + lines(file), 0);
	if (code > 5_000 && written > 0.3 * code)
		problems.push(`docs: ${written} lines for ${code} lines of code; at most 0.3 a line`);
}
