import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { validateArguments } from "../../src/tools/validateArguments.ts";
import { at, envelopeOf, listAt, serve } from "../server/serving.ts";
import { FILES, workspaceOf } from "./workspace.ts";

test("a repository and a file may be named by the URI that a client has for them", async (t) => {
	const space = await workspaceOf(t, { ...FILES, "docs/two words.md": "# Two\n" });
	const { client } = await serve(t, space);
	const uri = (...path: string[]): string => pathToFileURL(join(space.root, ...path)).href;
	const status = envelopeOf(await client.call("index_status", { repoPath: uri() }));
	assert.equal(at(status, "/result/status/indexed"), true, JSON.stringify(status));
	const shown = envelopeOf(await client.call("show_file", { path: uri("docs", "two words.md") }));
	assert.equal(at(shown, "/result/file/path"), "docs/two words.md");
	const found = envelopeOf(await client.call("search", { query: "session", repoPath: uri(), path: [uri("docs")] }));
	const paths = listAt(found, "/result/search/hits").map((hit) => at(hit, "/path"));
	assert.deepEqual([...new Set(paths)], ["docs/guide.md"]);
	writeFileSync(join(space.root, "report.json"), "[]");
	const read = envelopeOf(await client.call("triage_ingest", { source: "generic", inputPath: uri("report.json") }));
	assert.doesNotMatch(String(at(read, "/error/code")), /NOT_FOUND|FORBIDDEN/);
});

test("a URI leads no further than the path it stands for", async (t) => {
	const { client } = await serve(t, await workspaceOf(t));
	const astray = envelopeOf(await client.call("index_status", { repoPath: "file:///etc" }));
	assert.equal(at(astray, "/error/code"), "FORBIDDEN");
});

test("a URI that names no path of this machine is refused with the reason, and any other text is kept", () => {
	for (const [path, reason] of [
		["file://elsewhere/a.ts", /^path: expected a file: URI of this machine, got/],
		["file:///repo/../etc/passwd", /^path: expected a file: URI without \.\., got/],
		["file:///repo/a.ts#L3", /^path: expected a file: URI without \? and #/],
	] as const)
		assert.throws(() => validateArguments("show_file", { path }), { code: "INVALID_REQUEST", message: reason });
	for (const path of ["src/a.ts", " odd name ", "file:a.ts", "back\\slash.ts", "//src/a.ts"])
		assert.deepEqual(validateArguments("show_file", { path }), { path });
});
