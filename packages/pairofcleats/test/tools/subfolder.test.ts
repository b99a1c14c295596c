import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ToolRunner } from "../../src/tools/toolRunner.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { workspaceOf } from "./workspace.ts";

test("an answer for a folder of a repository says that all of the repository is meant", async (t) => {
	const files = { "lib/a.ts": "export const gadget = 1;\n", "src/b.ts": "export const gadget = 2;\n" };
	const { root, cacheRoot } = await workspaceOf(t, files);
	mkdirSync(join(root, ".git"));
	const workspace = new Workspace({ repositories: [root], open: { cacheRoot } });
	t.after(() => workspace.close());
	const runner = new ToolRunner(workspace);
	const warned = async (repoPath: string, here: boolean): Promise<readonly string[]> => {
		const asker = { requestId: "t", signal: AbortSignal.timeout(60_000), here };
		const { ok, _meta } = await runner.run("search", { query: "gadget", repoPath }, asker);
		assert.ok(ok);
		return (_meta.warnings ?? []).map(({ field, message }) => `${field} ${message}`);
	};
	assert.deepEqual(await warned(join(root, "src"), false), [
		"repoPath repoPath: src is a folder of repo, all of which is meant; path limits a search to a folder",
	]);
	assert.deepEqual(await warned(root, false), []);
	assert.deepEqual(
		await warned(join(root, "src"), true),
		[],
		"at the command line, a folder stands for its repository",
	);
});
