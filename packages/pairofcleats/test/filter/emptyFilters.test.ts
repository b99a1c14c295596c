import assert from "node:assert/strict";
import { test } from "node:test";
import { runCaptured } from "../cli/captured.ts";
import { serveApi } from "../http/api.ts";
import { at } from "../server/serving.ts";
import { workspaceOf } from "../tools/workspace.ts";

test("an answer says which filters were empty and so did not limit it", async (t) => {
	const api = await serveApi(t, await workspaceOf(t));
	const warned = async (given: Readonly<Record<string, unknown>>): Promise<unknown> => {
		const { body } = await api.post("/search", { query: "session", ...given });
		assert.equal(at(body, "/ok"), true, JSON.stringify(body));
		return at(body, "/_meta/warnings");
	};
	const says = "given without a value, so nothing was filtered by";
	assert.deepEqual(await warned({ lang: "" }), [{ code: "filter_empty", field: "lang", message: `${says} lang` }]);
	const several = { path: [""], ext: [], decorator: " ", meta: "", metaJson: "[]" };
	const message = `${says} path, ext, decorator, meta, metaJson`;
	assert.deepEqual(await warned(several), [{ code: "filter_empty", message }]);
	for (const whole of [{}, { repoPath: "" }, { ann: null }, { path: ["", "src"] }])
		assert.deepEqual(await warned(whole), undefined, JSON.stringify(whole));
});

test("the command line says it too, for a script whose variable is empty", async (t) => {
	const { root, cacheRoot } = await workspaceOf(t);
	const previous = process.env.PAIROFCLEATS_CACHE_ROOT;
	process.env.PAIROFCLEATS_CACHE_ROOT = cacheRoot;
	t.after(() => {
		if (previous === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = previous;
	});
	const { code, errors } = await runCaptured(["search", "session", "--lang", "", "--repo", root]);
	assert.equal(code, 0);
	assert.match(errors.join("\n"), /nothing was filtered by lang/);
	const whole = await runCaptured(["search", "session", "--repo", root]);
	assert.doesNotMatch(whole.errors.join("\n"), /filtered/);
});
