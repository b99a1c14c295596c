// The release script from end to end, in a copy of this tree with a history of its own.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "holdfast-release-"));
const copy = join(folder, "copy");

before(() => {
	const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" });
	const files = tracked.split("\0").filter((file) => file !== "" && existsSync(join(ROOT, file)));
	for (const file of files) {
		mkdirSync(dirname(join(copy, file)), { recursive: true });
		// What is older than what was made of it is not made again.
		cpSync(join(ROOT, file), join(copy, file), { preserveTimestamps: true });
	}
	// What is built already is built faster; installed packages are read only, so links to them will do.
	for (const name of readdirSync(join(ROOT, "packages"))) {
		cpSync(join(ROOT, "packages", name, "dist"), join(copy, "packages", name, "dist"), {
			recursive: true,
			preserveTimestamps: true,
		});
	}
	try {
		execFileSync("cp", ["-a", "-l", join(ROOT, "node_modules"), copy], { stdio: "ignore" });
	} catch {
		// Another disk: no links across.
		execFileSync("cp", ["-a", join(ROOT, "node_modules"), copy]);
	}
	git("init", "--quiet", "--initial-branch=main");
	git("config", "user.name", "release");
	git("config", "user.email", "release@localhost");
	commit("Begin");
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test("a tree with changes, and a version without a date, are not released", async () => {
	const notes = readFileSync(join(copy, "CHANGELOG.md"), "utf8");
	writeFileSync(join(copy, "CHANGELOG.md"), notes.replace(/^## 1\.0\.0 — .*$/m, "## 1.0.0 — unreleased"));
	const refused = await release().catch((error: unknown) => Object(error));
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /^the tree has changes that no commit holds:\n\s*M CHANGELOG\.md$/m);
	assert.match(refused.stderr, /^CHANGELOG\.md: expected a heading "## 1\.0\.0 — <year-month-day>" and what changed$/m);
	assert.equal((await release("--pulish").catch((error: unknown) => Object(error))).code, 1);
	writeFileSync(join(copy, "CHANGELOG.md"), notes.replace(/^## 1\.0\.0 — .*$/m, "## 1.0.0 — 2026-11-15"));
	if (git("status", "--porcelain") !== "") commit("Date the release");
});

test("a clean tree with dated notes is packed, checked and tagged, once", { timeout: 280_000 }, async () => {
	const { stdout } = await release("--tag");
	assert.match(stdout, /^1\.0\.0 is tagged v1\.0\.0; its packages are in /m);
	assert.deepEqual(
		readdirSync(join(copy, ".cache/release")).sort(),
		["holdfast", "libmcp", "metatools", "pairofcleats", "synesthetic"].map((name) => `${name}-1.0.0.tgz`),
	);
	assert.equal(git("rev-parse", "v1.0.0^{commit}"), git("rev-parse", "HEAD"));
	assert.match(git("tag", "--list", "-n99", "v1.0.0"), /Release 1\.0\.0\s[\s\S]*`libmcp`/);
	assert.equal(git("status", "--porcelain"), "", "packing leaves the tree as it was");
	const again = await release("--tag").catch((error: unknown) => Object(error));
	assert.match(again.stderr, /^v1\.0\.0: this version has been released$/m);
});

function release(...args: readonly string[]) {
	return run(process.execPath, ["scripts/release.ts", ...args], { cwd: copy, maxBuffer: 1 << 26 });
}

function git(...args: readonly string[]): string {
	return execFileSync("git", args, { cwd: copy, encoding: "utf8" }).trim();
}

function commit(message: string): void {
	git("add", "--all");
	git("commit", "--quiet", "--message", message);
}
