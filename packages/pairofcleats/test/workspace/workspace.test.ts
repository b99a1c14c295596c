import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Workspace } from "../../src/workspace/workspace.ts";
import { workspaceOf } from "../tools/workspace.ts";

test("a folder beside an allowed one is not inside it, however its name begins", async (t) => {
	const { root, base, cacheRoot } = await workspaceOf(t, undefined, { indexed: false });
	const declared = join(base, "declared");
	for (const folder of [`${root}-secrets`, declared, `${declared}-secrets`]) mkdirSync(folder);
	const workspace = new Workspace({ repositories: [root], open: { cacheRoot } });
	t.after(() => workspace.close());
	workspace.declare([declared]);
	for (const allowed of [root, join(root, "src"), declared]) assert.doesNotThrow(() => workspace.locate(allowed));
	for (const beside of [`${root}-secrets`, `${root}-missing`, `${declared}-secrets`, base])
		assert.throws(() => workspace.locate(beside), { code: "FORBIDDEN" }, beside);
});

test("a repository has one engine, whoever asks for it and however often", async (t) => {
	const { root, cacheRoot } = await workspaceOf(t, undefined, { indexed: false });
	const workspace = new Workspace({ repositories: [root], open: { cacheRoot } });
	t.after(() => workspace.close());
	const [one, other] = await Promise.all([workspace.engine(root), workspace.engine(root)]);
	assert.ok(one === other && one === (await workspace.repository()).engine);
});
