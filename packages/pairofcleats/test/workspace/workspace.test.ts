import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
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

test("repositories whose folders have one name are called by those above too, and may be called so", async (t) => {
	const { root, base, cacheRoot } = await workspaceOf(t, undefined, { indexed: false });
	const [one, other] = [join(base, "api/main"), join(base, "web/main")];
	for (const folder of [one, other]) mkdirSync(folder, { recursive: true });
	const workspace = new Workspace({ repositories: [one, other, root], open: { cacheRoot } });
	t.after(() => workspace.close());
	assert.deepEqual(
		workspace.repositories.map((folder) => workspace.nameOf(folder)),
		["api/main", "web/main", basename(root)],
	);
	assert.equal(workspace.locate().label, "api/main");
	for (const folder of workspace.repositories) assert.equal(workspace.locate(workspace.nameOf(folder)).root, folder);
	assert.throws(() => workspace.locate("main"), { code: "FORBIDDEN" }, "it is not known which is meant");
});

test("a repository has one engine, whoever asks for it and however often", async (t) => {
	const { root, cacheRoot } = await workspaceOf(t, undefined, { indexed: false });
	const workspace = new Workspace({ repositories: [root], open: { cacheRoot } });
	t.after(() => workspace.close());
	const [one, other] = await Promise.all([workspace.engine(root), workspace.engine(root)]);
	assert.ok(one === other && one === (await workspace.repository()).engine);
});
