import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import type { ToolName } from "../../src/registry/registry.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { takeWriteLock } from "../../src/store/writeLock.ts";
import { ToolRunner } from "../../src/tools/toolRunner.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tgz } from "../assets/archives.ts";

const folder = mkdtempSync(join(tmpdir(), "cleats-maintenance-"));
const cacheRoot = join(folder, "cache");
const root = join(folder, "app");
const other = join(folder, "other");
let workspace: Workspace;
let runner: ToolRunner;

before(async () => {
	for (const [place, count] of [
		[root, 60],
		[other, 5],
	] as const) {
		mkdirSync(place);
		for (let index = 0; index < count; index++) {
			const body = Array.from(
				{ length: 20 },
				(_, line) => `export function worker${index}x${line}(input) {\n\treturn input + ${line};\n}\n`,
			);
			writeFileSync(join(place, `module${index}.js`), body.join("\n"));
		}
	}
	process.env.PAIROFCLEATS_DATA_ROOT = join(folder, "data");
	workspace = new Workspace({ repositories: [root], open: { cacheRoot } });
	runner = new ToolRunner(workspace);
	await call("build_index", {});
	const second = new Workspace({ repositories: [other], open: { cacheRoot } });
	await new ToolRunner(second).run("build_index", {}, { requestId: "o", signal: AbortSignal.timeout(60_000) });
	await second.close();
});
after(async () => {
	await workspace.close();
	delete process.env.PAIROFCLEATS_DATA_ROOT;
	rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests alone
async function call(name: ToolName, args: Record<string, unknown>): Promise<any> {
	const envelope = await runner.run(name, args, { requestId: "t", signal: AbortSignal.timeout(60_000) });
	return envelope.ok ? envelope.result : envelope.error;
}

/** Opens an index for reading in a process of its own, until it is ended. */
async function openElsewhere(file: string): Promise<{ end(): Promise<unknown> }> {
	const module = JSON.stringify(new URL("../../src/store/sqliteReader.ts", import.meta.url));
	const program = `const { openReader } = await import(${module});
		const reader = openReader(${JSON.stringify(file)});
		console.log(reader.generation());
		process.stdin.resume().once("end", () => reader.close());`;
	const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	const ended = once(child, "exit");
	await once(child.stdout, "data");
	return {
		end: () => {
			child.stdin.end();
			return ended;
		},
	};
}

const QUERIES = ["worker3x7", "return input", "module12", "export function", "worker59x19 input"];

async function answers(): Promise<string> {
	const found: unknown[] = [];
	for (const query of QUERIES) {
		const { search } = await call("search", { query, top: 20 });
		found.push(
			search.hits.map((hit: { path: string; startLine: number; score: number }) => [
				hit.path,
				hit.startLine,
				hit.score,
			]),
		);
	}
	return JSON.stringify(found);
}

verifies(
	"001-6.5.2-tool-compact-sqlite-index",
	"compaction during searches changes no answer and reports the sizes, and its dry run changes nothing",
	async () => {
		const expected = await answers();
		const index = openIndexFolder(cacheRoot, root);
		const before = index.current();
		const dry = await call("compact_sqlite_index", { dryRun: true });
		assert.equal(dry.dryRun, true);
		assert.equal(index.current(), before);
		const ended = new AbortController();
		const searches = (async () => {
			let count = 0;
			while (!ended.signal.aborted) {
				assert.equal(await answers(), expected);
				count += 1;
			}
			return count;
		})();
		const done = await call("compact_sqlite_index", { keepBackup: true });
		ended.abort();
		assert.ok((await searches) > 0);
		assert.ok(done.before > 0 && done.after > 0);
		assert.notEqual(index.current(), before);
		assert.equal(existsSync(join(index.path, done.backup)), true);
		assert.equal(await answers(), expected);
		const { ok } = await (await workspace.engine(root)).validate();
		assert.equal(ok, true);
	},
);

void test("a compaction killed at any moment leaves the index as it was or compacted, and searchable", async () => {
	const expected = await answers();
	for (const delay of [0, 15, 40, 80, 150]) {
		const signal = AbortSignal.timeout(delay);
		await runner.run("compact_sqlite_index", {}, { requestId: "k", signal }).catch(() => {});
		assert.equal(await answers(), expected);
	}
	assert.equal((await (await workspace.engine(root)).validate()).ok, true);
});

verifies(
	"001-6.5.2-tool-cache-gc",
	"entries beyond a limit are removed, oldest first, but never an index in use or being written",
	async () => {
		const used = openIndexFolder(cacheRoot, root);
		const old = openIndexFolder(cacheRoot, other);
		assert.match((await call("cache_gc", {})).message, /expected a limit, got none/);
		const dry = await call("cache_gc", { maxBytes: 0, dryRun: true });
		assert.deepEqual(
			dry.removals.map((removal: { outcome: string }) => removal.outcome),
			["would_go"],
		);
		assert.equal(dry.freedBytes, 0);
		assert.ok(existsSync(old.path));
		const past = new Date(Date.now() - 40 * 86_400_000);
		for (const name of readdirSync(old.path)) utimesSync(join(old.path, name), past, past);
		assert.deepEqual((await call("cache_gc", { maxAgeDays: 90 })).removals, []);
		const lock = await takeWriteLock(old.path);
		const busy = await call("cache_gc", { maxBytes: 0 });
		lock.release();
		assert.equal(busy.removals[0].outcome, "in_use");
		assert.ok(existsSync(old.path));
		const reader = await openElsewhere(old.current() ?? "");
		const open = await call("cache_gc", { maxBytes: 0 });
		assert.equal(open.removals[0].outcome, "in_use", "another process answers from it");
		assert.ok(old.current() !== undefined);
		await reader.end();
		for (const name of readdirSync(old.path)) utimesSync(join(old.path, name), past, past);
		const gone = await call("cache_gc", { maxAgeDays: 30 });
		assert.equal(gone.removals[0].reason, "age");
		assert.ok(gone.freedBytes > 0);
		assert.equal(existsSync(old.path), false);
		assert.ok(used.current() !== undefined);
	},
);

verifies(
	"001-6.5.2-tool-cache-gc",
	"no more entries go than a limit asks for, the least recently used first",
	async () => {
		const entries = ["newer-aaaaaaaaaaaa", "older-bbbbbbbbbbbb"].map((name) => join(cacheRoot, "repos", name));
		for (const [index, path] of entries.entries()) {
			mkdirSync(path);
			writeFileSync(join(path, "index-1.sqlite"), "x".repeat(1_000));
			const usedAt = new Date(Date.now() - (index + 1) * 86_400_000);
			utimesSync(join(path, "index-1.sqlite"), usedAt, usedAt);
		}
		const { bytes } = (await call("cache_gc", { maxAgeDays: 90, dryRun: true })).totals;
		const { removals } = await call("cache_gc", { maxBytes: bytes - 1_000, dryRun: true });
		for (const path of entries) rmSync(path, { recursive: true });
		assert.deepEqual(removals, [{ id: "older-bbbbbbbbbbbb", bytes: 1_000, reason: "quota", outcome: "would_go" }]);
	},
);

verifies(
	"001-6.5.2-tool-clean-artifacts",
	"a repository's artifacts are removed, and nothing else in or outside the cache",
	async () => {
		mkdirSync(join(cacheRoot, "repos", "not-ours"), { recursive: true });
		writeFileSync(join(cacheRoot, "repos", "not-ours", "precious"), "x");
		const dry = await call("clean_artifacts", { all: true, dryRun: true });
		assert.deepEqual(
			dry.removals.map((removal: { outcome: string }) => removal.outcome),
			["would_go"],
		);
		const done = await call("clean_artifacts", { all: true });
		assert.equal(done.removals[0].outcome, "removed");
		assert.equal(openIndexFolder(cacheRoot, root).current(), undefined);
		assert.ok(existsSync(join(cacheRoot, "repos", "not-ours", "precious")));
		assert.equal((await call("search", { query: "x" })).code, "NO_INDEX");
		assert.ok(statSync(join(root, "module0.js")).isFile());
	},
);

verifies(
	"001-6.5.2-tool-bootstrap",
	"a fresh repository becomes searchable, each step is reported, and running it again is harmless",
	async () => {
		const first = await call("bootstrap", { skipDicts: true });
		assert.deepEqual(
			first.steps.map((step: { step: string; outcome: string }) => [step.step, step.outcome]),
			[
				["models", "done"],
				["dictionaries", "skipped"],
				["index", "done"],
				["verify", "done"],
			],
		);
		assert.equal(first.searchable, true);
		assert.ok((await call("search", { query: "worker3x7" })).search.hits.length > 0);
		assert.equal((await call("bootstrap", { skipDicts: true })).searchable, true);
	},
);

verifies(
	["001-6.5.2-tool-download-dictionaries", "001-6.5.2-tool-download-models", "001-6.5.2-tool-download-extensions"],
	"files of a real server are fetched, verified and placed; a wrong digest leaves nothing",
	async (t) => {
		const words = tgz([{ name: "list.txt", data: "alpha\nbeta\n" }]);
		const sha = createHash("sha256").update(words).digest("hex");
		const server = createServer((_, response) => response.end(words));
		t.after(() => server.close());
		const port = await new Promise<number>((resolve) => {
			server.listen(0, "127.0.0.1", () => {
				const address = server.address();
				resolve(typeof address === "object" && address !== null ? address.port : 0);
			});
		});
		const url = `http://127.0.0.1:${port}/words.tgz`;
		const dictionary = await call("download_dictionaries", { url: `mine=${url}#sha256=${sha}` });
		assert.deepEqual(dictionary.downloads[0], {
			name: "mine",
			file: "mine.txt",
			outcome: "fetched",
			bytes: 11,
			sha256: sha,
			verified: true,
		});
		const extension = await call("download_extensions", { url: `ext=${url}#sha256=${sha}`, out: "ext.so" });
		assert.equal(extension.downloads[0].outcome, "fetched");
		const wrong = await call("download_models", { url: `m=${url}#sha256=${"0".repeat(64)}` });
		assert.equal(wrong.code, "DOWNLOAD_VERIFY_FAILED");
		const noModel = await call("download_models", { url: `m=${url}#sha256=${sha}` });
		assert.equal(noModel.code, "DOWNLOAD_VERIFY_FAILED");
		assert.match(noModel.message, /no model/);
		assert.equal(existsSync(join(cacheRoot, "models", "default")), false);
		assert.equal((await call("download_dictionaries", { dir: "../../outside" })).code, "FORBIDDEN");
		assert.equal((await call("download_dictionaries", { lang: "tlh" })).code, "INVALID_REQUEST");
		assert.deepEqual((await call("download_models", {})).downloads, []);
	},
);

verifies(
	"001-6.5.2-tool-verify-extensions",
	"a missing extension is a result, an invalid one gives the reason, and a real one loads and finds the nearest vector",
	async () => {
		const absent = await call("verify_extensions", { dir: "nowhere" });
		assert.equal(absent.extensions[0].installed, false);
		const broken = await call("verify_extensions", { path: "ext.so" });
		assert.equal(broken.extensions[0].installed, true);
		assert.equal(broken.extensions[0].load.ok, false);
		assert.notEqual(broken.extensions[0].load.reason, "");
		const { getLoadablePath } = await import("sqlite-vec");
		const real = getLoadablePath();
		const { copyFileSync } = await import("node:fs");
		const name = real.split("/").at(-1) ?? "";
		copyFileSync(real, join(cacheRoot, "extensions", name));
		const found = await call("verify_extensions", {});
		assert.equal(found.extensions[0].load.ok, true);
		assert.equal(found.extensions[0].smoke.ok, true);
		assert.equal((await call("verify_extensions", { path: "../../etc/passwd" })).code, "FORBIDDEN");
	},
);
