import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { getLoadablePath } from "sqlite-vec";
import type { ToolName } from "../../src/registry/registry.ts";
import { ToolRunner } from "../../src/tools/toolRunner.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

/** Prints what is no message of ours: a text, JSON of several kinds, and a line that it does not end. */
const NOISY = `process.stdout.write('[env] injecting 0 variables\\nnull\\n{"kind":"error","level":30}\\n{"ok":false}\\nhalf a line');`;

test("modules that NODE_OPTIONS preloads may print in the child processes of a build, a compaction and a trial", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "cleats-noisy-"));
	const [root, cacheRoot, noisy] = [join(folder, "repo"), join(folder, "cache"), join(folder, "noisy.cjs")];
	mkdirSync(root);
	mkdirSync(join(cacheRoot, "extensions"), { recursive: true });
	writeFileSync(join(root, "a.ts"), "export function openSession() {\n\treturn 1;\n}\n");
	writeFileSync(noisy, NOISY);
	copyFileSync(getLoadablePath(), join(cacheRoot, "extensions", basename(getLoadablePath())));
	const workspace = new Workspace({ repositories: [root], open: { cacheRoot, model: null } });
	const runner = new ToolRunner(workspace);
	const outer = process.env.NODE_OPTIONS;
	process.env.NODE_OPTIONS = `--require=${noisy}`;
	t.after(async () => {
		if (outer === undefined) delete process.env.NODE_OPTIONS;
		else process.env.NODE_OPTIONS = outer;
		await workspace.close();
		rmSync(folder, { recursive: true, force: true });
	});
	// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests alone
	const call = async (name: ToolName): Promise<any> => {
		const envelope = await runner.run(name, {}, { requestId: "t", signal: AbortSignal.timeout(60_000) });
		assert.ok(envelope.ok, JSON.stringify(envelope));
		return envelope.result;
	};
	await call("build_index");
	assert.ok((await call("compact_sqlite_index")).after > 0);
	const { extensions } = await call("verify_extensions");
	assert.equal(extensions[0].smoke.ok, true);
});
