import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "libmcp/serve";
import { DeclaredRoots } from "../../src/server/serveMcp.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { workspaceOf } from "../tools/workspace.ts";

test("the answer to an earlier question about roots never replaces that to a later one", async (t) => {
	const own = await workspaceOf(t, undefined, { indexed: false });
	const declared = await workspaceOf(t, undefined, { indexed: false });
	const workspace = new Workspace({ repositories: [own.root], open: { cacheRoot: own.cacheRoot } });
	t.after(() => workspace.close());
	const asked: PromiseWithResolvers<unknown>[] = [];
	const session: Session = {
		id: "test",
		client: undefined,
		ended: new AbortController().signal,
		notes: new Map(),
		notify: () => {},
		request: () => {
			const question = Promise.withResolvers<unknown>();
			asked.push(question);
			return question.promise;
		},
	};
	const roots = new DeclaredRoots(workspace);
	const context = { session, client: { protocolVersion: "2025-11-25", capabilities: { roots: {} } } };
	const first = roots.learn(context);
	roots.forget(session);
	const second = roots.learn(context);
	asked[1]?.resolve({ roots: [{ uri: `file://${declared.root}` }] });
	await second;
	assert.deepEqual(workspace.roots, [own.root, declared.root]);
	asked[0]?.reject(new Error("timed out"));
	await first;
	assert.deepEqual(workspace.roots, [own.root, declared.root]);

	roots.forget(session);
	const third = roots.learn(context);
	roots.forget(session);
	asked[2]?.resolve({ roots: [{ uri: `file://${declared.root}` }] });
	while (asked.length < 4) await new Promise((resolve) => setImmediate(resolve));
	asked[3]?.resolve({ roots: [] });
	await third;
	assert.deepEqual(workspace.roots, [own.root]);
});
