// Checks that a release can be made, packs it into .cache/release, and with `--publish` sends it to the registry.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run, runOrExit } from "./run.ts";

// In the order they depend on one another, so that a half-made release is still installable.
const PACKAGES = ["libmcp", "pairofcleats", "synesthetic", "metatools", "holdfast"] as const;
const out = join(ROOT, ".cache/release");

const version: string = manifest("package.json").version;
const problems = [...uncleanTree(), ...otherVersions(), ...missingNotes()];
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

if (!process.argv.includes("--publish")) {
	console.log(`\n${version} can be released: ${out}\nnode scripts/release.ts --publish sends it to the registry`);
	process.exit(0);
}
for (const name of tarballs) runOrExit("npm", ["publish", join(out, name), "--access", "public"]);
process.exit(run("git", ["tag", "--annotate", `v${version}`, "--message", `Release ${version}`]));

function manifest(path: string) {
	return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
}

function uncleanTree(): string[] {
	const changed = execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" }).trim();
	return changed === "" ? [] : [`the tree has changes that no commit holds:\n${changed}`];
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

function missingNotes(): string[] {
	const dated = new RegExp(`^## ${version.replaceAll(".", "\\.")} — \\d{4}-\\d{2}-\\d{2}$`, "m");
	const notes = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
	return dated.test(notes) ? [] : [`CHANGELOG.md: expected a heading "## ${version} — <year-month-day>"`];
}
