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
	checkStderr(file);
}
for (const file of files.filter((file) => file.endsWith(".ts"))) checkKills(file);
for (const name of PACKAGES) {
	checkLayers(`packages/${name}/src/`);
	checkExports(name);
}
for (const folder of innerFolders()) checkLayers(folder, (part) => !part.includes("."));
checkFolders();
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
	for (const specifier of importsOf(file)) {
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

function importsOf(file: string): string[] {
	return [...read(file).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, specifier = ""]) => specifier);
}

/** An unminded stderr ends the process when its reader has gone or its disk is full. */
function checkStderr(file: string): void {
	if (/\bprocess\.stderr\.write\b/.test(read(file)) && !file.endsWith("/libmcp/src/launch.ts"))
		problems.push(`${file}: writes to process.stderr; writeStderr of libmcp minds one that cannot be written`);
}

/** Process 0 is the whole group of the caller, a test run for one. */
function checkKills(file: string): void {
	if (/\bkill\([^\n;]*\?\? 0\b/.test(read(file)))
		problems.push(`${file}: kills process 0 where no process is known; let it fail with Number.NaN`);
}

/** The folders of packages that hold folders in turn. */
function innerFolders(): Set<string> {
	const folders = sources.map((file) => `${dirname(dirname(file))}/`);
	return new Set(folders.filter((folder) => /^packages\/[^/]+\/src\/./.test(folder)));
}

/**
 * The folders of a package are layers: none imports, over however many others, one that imports it. Types count. So are
 * the folders inside one of them; the files beside those put them together, and are no layer.
 */
function checkLayers(source: string, isLayer: (part: string) => boolean = () => true): void {
	const imports = importsBetween(source, isLayer);
	const rings = [...imports.keys()].map((folder) => shortestRing(imports, folder)).filter(({ length }) => length > 0);
	const [ring] = rings.sort((a, b) => a.length - b.length);
	if (ring === undefined) return;
	const steps = ring.map((from, index) => imports.get(from)?.get(ring[(index + 1) % ring.length] ?? ""));
	problems.push(`${source}: ${[...ring, ring[0]].join(" → ")} is a ring of folders: ${steps.join(", ")}`);
}

/** Folder → each folder it imports from → one file that does. */
function importsBetween(source: string, isLayer: (part: string) => boolean): Map<string, Map<string, string>> {
	const folderOf = (file: string): string => file.slice(source.length).split("/", 1)[0] ?? "";
	const imports = new Map<string, Map<string, string>>();
	for (const file of sources.filter((file) => file.startsWith(source) && isLayer(folderOf(file)))) {
		const from = folderOf(file);
		const own = imports.get(from) ?? new Map<string, string>();
		imports.set(from, own);
		for (const specifier of importsOf(file).filter((one) => one.startsWith("."))) {
			const target = normalize(join(dirname(file), specifier));
			const to = folderOf(target);
			if (target.startsWith(source) && to !== from && isLayer(to)) own.set(to, `${file} (${specifier})`);
		}
	}
	return imports;
}

/** The folders on the shortest way from a folder back to itself; none where there is no way. */
function shortestRing(imports: ReadonlyMap<string, ReadonlyMap<string, string>>, start: string): string[] {
	const ways: string[][] = [[start]];
	const seen = new Set<string>();
	for (const way of ways) {
		for (const next of imports.get(way.at(-1) ?? "")?.keys() ?? []) {
			if (next === start) return way;
			if (!seen.has(next)) ways.push([...way, next]);
			seen.add(next);
		}
	}
	return [];
}

/** The page names every folder of a package, each after those it imports. */
function checkFolders(): void {
	const page = "docs/architecture.md";
	const [, section = ""] = read(page).split("\n## The folders\n");
	for (const name of PACKAGES) {
		const imports = importsBetween(`packages/${name}/src/`, (part) => !part.includes("."));
		const row = section.split("\n").find((line) => line.startsWith(`| \`${name}\` | `)) ?? "";
		const named = [...row.matchAll(/`(\w+)`/g)].map(([, one = ""]) => one);
		for (const [folder, below] of imports) {
			const at = named.indexOf(folder);
			if (at === -1) problems.push(`${page}: names no ${folder} among the folders of ${name}`);
			for (const [one, file] of below)
				if (at !== -1 && named.indexOf(one) > at)
					problems.push(`${page}: ${name}'s ${folder} stands before ${one}: ${file}`);
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

/** An editor shows it to whoever uses the name. */
function checkExports(name: string): void {
	for (const entry of sources.filter((file) => dirname(file) === `packages/${name}/src`)) {
		for (const [, exported = "", from = ""] of read(entry).matchAll(/^export \{([^}]*)\} from "(\.[^"]+)"/gm)) {
			const file = normalize(join(dirname(entry), from));
			const names = exported.split(",").map((one) => one.trim().replace(/ as .*/, ""));
			for (const undocumented of names.filter((one) => isValueWithoutComment(one, read(file))))
				problems.push(`${file}: ${undocumented} is exported by ${entry}; it needs a comment that says what it is for`);
		}
	}
}

function isValueWithoutComment(name: string, text: string): boolean {
	const at =
		name === "" ? -1 : text.search(new RegExp(`^export (?:async |abstract )*(?:const|function|class) ${name}\\b`, "m"));
	return at !== -1 && !text.slice(0, at).trimEnd().endsWith("*/");
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
