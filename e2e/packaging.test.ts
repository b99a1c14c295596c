// What a user of the registry gets: every package packed, installed into an empty folder, and run from there.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PACKAGES = ["libmcp", "pairofcleats", "synesthetic", "metatools", "holdfast"] as const;
const OLDEST_NODE = "22.18.0";
const QUIET = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
const UNREACHABLE = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/;
const run = promisify(execFile);

// A path that is not the same in an address.
const folder = mkdtempSync(join(tmpdir(), "holdfast päckages 100% "));
const tarballs = join(folder, "tarballs");
const app = join(folder, "app");
const home = join(folder, "home");
let absent: string | undefined;

before(async () => {
	for (const one of [tarballs, app, home]) mkdirSync(one);
	writeFileSync(join(app, "package.json"), '{"private":true,"type":"module"}');
	await npm(ROOT, ["pack", "--workspaces", "--pack-destination", tarballs]);
	absent = await install(
		app,
		readdirSync(tarballs).map((name) => join(tarballs, name)),
	);
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test("every package is packed with its licence, a page, and no build records or sources", async () => {
	assert.deepEqual(readdirSync(tarballs).sort(), PACKAGES.map((name) => `${name}-1.0.0.tgz`).sort());
	for (const name of PACKAGES) {
		const { stdout } = await run("tar", ["tzf", join(tarballs, `${name}-1.0.0.tgz`)]);
		const files = stdout.trim().split("\n");
		for (const needed of ["package/LICENSE", "package/README.md", "package/dist/index.d.ts"]) {
			assert.ok(files.includes(needed), `${name} has no ${needed}`);
		}
		const unwanted = files.filter((file) => /tsbuildinfo|(?<!\.d)\.ts$|\/test\//.test(file));
		assert.deepEqual(unwanted, [], name);
	}
});

test("a page in a package links to nothing that is not in it", async () => {
	for (const name of PACKAGES) {
		const tarball = join(tarballs, `${name}-1.0.0.tgz`);
		const files = new Set((await run("tar", ["tzf", tarball])).stdout.trim().split("\n"));
		const pages = [...files].filter((file) => file.endsWith(".md"));
		assert.ok(pages.includes("package/README.md"), name);
		for (const page of pages) {
			const { stdout } = await run("tar", ["xzOf", tarball, page]);
			for (const [, target = ""] of stdout.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g))
				assert.ok(files.has(posix.join(dirname(page), target)), `${name}: ${page} links to ${target}`);
		}
	}
});

test("exports point at dist, and nothing of them is missing", () => {
	for (const name of PACKAGES) {
		const place = join(ROOT, "packages", name);
		const { exports } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
		for (const [subpath, target] of Object.entries<string | Record<string, string>>(exports)) {
			for (const path of typeof target === "string" ? [target] : Object.values(target)) {
				if (subpath !== "./package.json") assert.match(path, /^\.\/dist\//, `${name} ${subpath}`);
				assert.ok(existsSync(join(place, path)), `${name} ${subpath}: ${path}`);
			}
		}
	}
});

for (const name of PACKAGES) {
	test(`${name} is clean for publint and for the types' resolver`, async () => {
		const tarball = join(tarballs, `${name}-1.0.0.tgz`);
		const bin = (tool: string) => join(ROOT, "node_modules/.bin", tool);
		await run(bin("publint"), ["run", "--strict", tarball]);
		await run(bin("attw"), ["--profile", "esm-only", "--quiet", tarball]);
	});
}

test("all tarballs install together, and every command runs from there", async (t) => {
	if (skippedFor(t, absent)) return;
	await everyCommandRuns(process.execPath);
});

test("each package can be imported by every name it exports", async (t) => {
	if (skippedFor(t, absent)) return;
	const names = PACKAGES.flatMap((name) => {
		const { exports } = JSON.parse(readFileSync(join(app, "node_modules", name, "package.json"), "utf8"));
		return Object.keys(exports)
			.filter((subpath) => subpath !== "./package.json")
			.map((subpath) => name + subpath.slice(1));
	});
	assert.ok(names.length >= 12);
	const program = names.map((name) => `await import(${JSON.stringify(name)});`).join("\n");
	writeFileSync(join(app, "imports.js"), `${program}\nconsole.log("all");\n`);
	const { stdout } = await inApp(process.execPath, ["imports.js"]);
	assert.equal(stdout, "all\n");
});

test(`every command runs on Node ${OLDEST_NODE}`, async (t) => {
	if (skippedFor(t, absent)) return;
	const place = join(folder, "node");
	mkdirSync(place);
	writeFileSync(join(place, "package.json"), '{"private":true}');
	const binary = `node-${process.platform}-${process.arch}`;
	if (skippedFor(t, await install(place, [`${binary}@${OLDEST_NODE}`]))) return;
	const node = join(place, "node_modules", binary, "bin/node");
	assert.equal((await run(node, ["--version"])).stdout, `v${OLDEST_NODE}\n`);
	await everyCommandRuns(node);
});

test("npx finds the command", async (t) => {
	if (skippedFor(t, absent)) return;
	const { stdout } = await npm(app, ["exec", "--no", "holdfast", "--", "--version"]);
	assert.equal(stdout, "holdfast 1.0.0\n");
});

async function everyCommandRuns(node: string): Promise<void> {
	const command = async (name: string, ...args: string[]) =>
		(await inApp(node, [join(app, "node_modules", name, "bin", `${name}.js`), ...args])).stdout;
	assert.equal(await command("holdfast", "--version"), "holdfast 1.0.0\n");
	assert.equal(await command("pairofcleats", "--version"), "pairofcleats 1.0.0\n");
	assert.match(await command("synesthetic", "--demo"), /^Schemas\n {2}haptic/);
	assert.match(await command("metatools", "--help"), /^A gateway to every MCP tool\.\n/);
	assert.match(await command("holdfast", "skill", "link"), /mcp-bootstrap -> .+holdfast\/skills\/mcp-bootstrap\n/);
	assert.match(await command("metatools", "tools", "search", "ping"), /local:ping/);
	const repository = join(app, "repository");
	mkdirSync(repository, { recursive: true });
	writeFileSync(join(repository, "lantern.ts"), "export function lightLantern(): void {}\n");
	await command("pairofcleats", "index", "build", "--repo", repository);
	assert.match(await command("pairofcleats", "search", "lantern", "--repo", repository), /lantern\.ts/);
	const status = await command("pairofcleats", "index", "status", "--repo", repository);
	assert.match(status, /^vectors +1 by holdfast-code-/m);
}

function inApp(node: string, args: readonly string[]) {
	const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" };
	return run(node, [...args], { cwd: app, env, timeout: 120_000 });
}

function npm(cwd: string, args: readonly string[]) {
	return run("npm", [...args, ...(args[0] === "exec" ? [] : QUIET)], { cwd, maxBuffer: 1 << 26 });
}

/** Why the registry could not give what is not on this machine; any other failure throws. */
async function install(cwd: string, names: readonly string[]): Promise<string | undefined> {
	try {
		await npm(cwd, ["install", ...names]);
		return undefined;
	} catch (error) {
		const said = Object(error) as { stderr?: string };
		const why = UNREACHABLE.exec(said.stderr ?? "")?.[0];
		if (why === undefined) throw error;
		return `the registry cannot be reached (${why})`;
	}
}

function skippedFor(t: TestContext, reason: string | undefined): boolean {
	if (reason !== undefined) t.skip(reason);
	return reason !== undefined;
}
