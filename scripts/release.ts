// Checks that a release can be made and packs it into .cache/release. `--tag` marks the commit as released; `--publish` sends
// the packages to the registry first.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runOrExit } from "./run.ts";

// In the order they depend on one another, so that a half-made release is still installable.
const PACKAGES = ["libmcp", "pairofcleats", "synesthetic", "metatools", "holdfast"] as const;
const out = join(ROOT, ".cache/release");

const wanted = new Set(process.argv.slice(2));
const unknown = [...wanted].filter((option) => option !== "--tag" && option !== "--publish");
const version: string = manifest("package.json").version;
const tag = `v${version}`;
const notes = releaseNotes();
const problems = [
	...unknown.map((option) => `${option}: expected --tag or --publish`),
	...uncleanTree(),
	...otherVersions(),
	...(notes === undefined
		? [`CHANGELOG.md: expected a heading "## ${version} — <year-month-day>" and what changed`]
		: []),
	...(git("tag", "--list", tag) === "" ? [] : [`${tag}: this version has been released`]),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

runOrExit("node", ["scripts/build.ts"]);
runOrExit("node", ["scripts/contracts.ts"]);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
runOrExit("npm", ["pack", "--workspaces", "--pack-destination", out, "--loglevel=error"]);
const tarballs = PACKAGES.map((name) => `${name}-${version}.tgz`);
const missing = tarballs.filter((name) => !readdirSync(out).includes(name));
if (missing.length > 0) throw new Error(`npm pack made no ${missing.join(", ")}`);
for (const name of tarballs) runOrExit("node", ["node_modules/publint/src/cli.js", "run", "--strict", join(out, name)]);
// Building and packing must not have changed what the tag will stand for.
const changed = uncleanTree();
if (changed.length > 0) throw new Error(changed.join("\n"));

if (wanted.has("--publish"))
	for (const name of tarballs) runOrExit("npm", ["publish", join(out, name), "--access", "public"]);
if (wanted.size > 0) git("tag", "--annotate", tag, "--message", `Release ${version}\n\n${notes}`);
console.log(`\n${version} ${wanted.size > 0 ? `is tagged ${tag}` : "can be released"}; its packages are in ${out}`);
if (wanted.size === 0) console.log("--tag marks it in git, --publish sends it to the registry and marks it");

function git(...args: readonly string[]): string {
	return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
}

function manifest(path: string) {
	return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
}

function uncleanTree(): string[] {
	const found = git("status", "--porcelain");
	return found === "" ? [] : [`the tree has changes that no commit holds:\n${found}`];
}

/** One version for all packages, also where they name one another. */
function otherVersions(): string[] {
	return PACKAGES.flatMap((name) => {
		const { version: own, dependencies = {} } = manifest(`packages/${name}/package.json`);
		const named = PACKAGES.filter((other) => dependencies[other] !== undefined && dependencies[other] !== version);
		return [
			...(own === version ? [] : [`packages/${name}: version is ${own}, expected ${version}`]),
			...named.map((other) => `packages/${name}: needs ${other} ${dependencies[other]}, expected ${version}`),
		];
	});
}

/** What the changelog says under this version, once it has a date. */
function releaseNotes(): string | undefined {
	const heading = `## ${version.replaceAll(".", "\\.")} — \\d{4}-\\d{2}-\\d{2}`;
	const text = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
	return new RegExp(`^${heading}\\n+([\\s\\S]+?)(?=^## |$(?![\\s\\S]))`, "m").exec(text)?.[1]?.trim();
}
