import "../../../../scripts/withoutColour.ts";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const PACKAGE = join(import.meta.dirname, "../..");
const BUNDLE = join(PACKAGE, "dist/fast/search.cjs");
const skip = existsSync(BUNDLE) ? false : "nothing is bundled; npm run build does it";

/** Starts the bundle as the command does, but regardless of its age. */
const START = `require(${JSON.stringify(BUNDLE)}).main(process.argv.slice(1))`;

test("the bundled search builds first, runs expressions, uses vectors and takes in an edit, like the whole program", {
	skip,
}, (t) => {
	const folder = mkdtempSync(join(tmpdir(), "bundled-search-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const repo = join(folder, "repo");
	mkdirSync(repo);
	writeFileSync(
		join(repo, "door.ts"),
		"/** Opens the door. */\nexport function openDoor(): number {\n\treturn 41;\n}\n",
	);
	const timeless = (text: string): string =>
		text.replaceAll(/"timings":\{[^}]*\}|"checkedAt":"[^"]*"|[\d.]+ ms/g, "time");
	const run = (program: readonly string[], ...args: string[]): { status: number | null; out: string; err: string } => {
		const argv = [...program, "search", ...args, "--repo", repo];
		const env = { ...process.env, PAIROFCLEATS_CACHE_ROOT: join(folder, "cache") };
		const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8", env, timeout: 120_000 });
		return { status, out: timeless(stdout), err: timeless(stderr) };
	};
	const bundled = ["-e", START, "--"];
	const whole = [
		"--disable-warning=ExperimentalWarning",
		"--input-type=module",
		"-e",
		`const { main } = await import(${JSON.stringify(join(PACKAGE, "dist/cli/main.js"))}); await main(process.argv.slice(1));`,
		"--",
	];
	const first = run(bundled, "openDoor", "--compact");
	assert.deepEqual(first, { status: 0, out: "door.ts:1-4  function openDoor\n", err: "" });
	assert.match(run(bundled, "/return \\d+/", "--compact").out, /^door\.ts:1-4 /);
	writeFileSync(join(repo, "lock.ts"), "export function lockDoor(): number {\n\treturn 42;\n}\n");
	assert.match(run(bundled, "/return 42/", "--compact").out, /^lock\.ts:1-3 /);
	// This grammar runs in a separate process, whose program the bundle must find.
	writeFileSync(join(repo, "ring.sh"), "#!/bin/bash\nring_bell() {\n\techo ding\n}\n");
	assert.match(run(bundled, "ring_bell", "--compact").out, /^ring\.sh:1-4 {2}function ring_bell\n/);
	writeFileSync(join(repo, "plan.md"), "# Plan\n\nPaint it.\n\n## Knocker\n\nPolish it.\n");
	assert.match(run(bundled, "polish", "--compact").out, /^plan\.md:5-7 {2}section Plan\.Knocker\n/);
	writeFileSync(join(repo, "Hall.vue"), "<script>\nexport function sweepHall() {\n\treturn 1;\n}\n</script>\n");
	assert.match(run(bundled, "sweepHall", "--compact").out, /^Hall\.vue:/);
	for (const args of [
		["where is the door shut", "--ann", "--explain"],
		["door", "--json"],
		[],
		["door", "--since", "x"],
	]) {
		assert.deepEqual(run(bundled, ...args), run(whole, ...args));
	}
});
