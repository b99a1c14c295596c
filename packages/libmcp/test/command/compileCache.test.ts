import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const place = mkdtempSync(join(tmpdir(), "compile-cache-"));
test.after(() => rmSync(place, { recursive: true, force: true }));

const MODULE = JSON.stringify(new URL("../../src/command/compileCache.ts", import.meta.url).href);
const CODE = `
	import(${MODULE}).then(({ enableCompileCache }) => {
		enableCompileCache();
		console.log(require("node:module").getCompileCacheDir() ?? "none");
	});
`;

/** The folder that Node keeps compiled code in after the call, or "none". */
function cacheOf(environment: NodeJS.ProcessEnv): string {
	const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, ...clean } = process.env;
	const { stdout } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", "-e", CODE], {
		env: { ...clean, TMPDIR: newFolder("tmp"), ...environment },
		encoding: "utf8",
	});
	return stdout.trim();
}

let made = 0;
function newFolder(name: string, mode?: number): string {
	const folder = join(place, `${++made}-${name}`);
	mkdirSync(folder);
	if (mode !== undefined) chmodSync(folder, mode);
	return folder;
}

test("compiled code is kept in a folder of the user's alone, never among everybody's temporary files", () => {
	const [HOME, TMPDIR] = [newFolder("home"), newFolder("tmp")];
	const folder = join(HOME, ".cache/holdfast/compiled");
	assert.ok(cacheOf({ HOME, TMPDIR }).startsWith(`${folder}/`));
	assert.equal(statSync(folder).mode & 0o777, 0o700);
	assert.deepEqual(readdirSync(TMPDIR), []);

	const cache = newFolder("cache");
	assert.ok(cacheOf({ HOME, XDG_CACHE_HOME: cache }).startsWith(join(cache, "holdfast/compiled/")));
	const named = newFolder("named");
	assert.ok(cacheOf({ HOME, NODE_COMPILE_CACHE: named }).startsWith(`${named}/`));
});

test("a folder that others could have put code into is not used, and its mode stays for its owner to see", () => {
	const HOME = newFolder("home");
	const folder = join(HOME, ".cache/holdfast/compiled");
	mkdirSync(folder, { recursive: true });
	chmodSync(folder, 0o777);
	assert.equal(cacheOf({ HOME }), "none");
	assert.equal(statSync(folder).mode & 0o777, 0o777);
	// Who could only read it has left nothing there.
	chmodSync(folder, 0o755);
	assert.ok(cacheOf({ HOME }).startsWith(`${folder}/`));
	assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test("a link in place of the folder is not followed", () => {
	const HOME = newFolder("home");
	mkdirSync(join(HOME, ".cache/holdfast"), { recursive: true });
	symlinkSync(newFolder("elsewhere"), join(HOME, ".cache/holdfast/compiled"));
	assert.equal(cacheOf({ HOME }), "none");
});

test("below a folder where anybody renames anything there is no cache; where only owners do, as in /tmp, there is one", () => {
	const open = newFolder("open", 0o777);
	assert.equal(cacheOf({ HOME: join(open, "home") }), "none");
	const sticky = newFolder("sticky", 0o1777);
	assert.ok(cacheOf({ HOME: join(sticky, "home") }).startsWith(join(sticky, "home/.cache/holdfast/compiled/")));
});

test("what belongs to another user is not used", {
	skip: process.getuid?.() === 0 ? false : "needs the right to give a folder to another user",
}, () => {
	const theirs = newFolder("theirs");
	const folder = join(theirs, ".cache/holdfast/compiled");
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	chownSync(folder, 65_533, 65_533);
	assert.equal(cacheOf({ HOME: theirs }), "none");

	const home = newFolder("home");
	chownSync(home, 65_533, 65_533);
	assert.equal(cacheOf({ HOME: home }), "none");
});

test("without a home, or where none can be made, there is no cache and no failure", () => {
	assert.equal(cacheOf({ HOME: "/dev/null" }), "none");
	assert.equal(cacheOf({ XDG_CACHE_HOME: "/dev/null/cache" }), "none");
});
