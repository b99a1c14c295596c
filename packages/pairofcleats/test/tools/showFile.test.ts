import assert from "node:assert/strict";
import { test } from "node:test";
import { at, envelopeOf, serve } from "../server/serving.ts";
import { workspaceOf } from "./workspace.ts";

test("a file too long for a client is cut at a line, with the call that shows the rest", async (t) => {
	const lines = Array.from({ length: 30_000 }, (_, line) => `line ${line + 1}`);
	const space = await workspaceOf(t, { "long.txt": `${lines.join("\n")}\n`, "wide.txt": "wide ".repeat(50_000) });
	const { client } = await serve(t, space);
	let next = 1;
	const read: string[] = [];
	for (let calls = 0; calls < 9 && next <= lines.length; calls++) {
		const envelope = envelopeOf(await client.call("show_file", { path: "long.txt", startLine: next }));
		read.push(String(at(envelope, "/result/file/text")));
		const end = Number(at(envelope, "/result/file/endLine"));
		assert.equal(at(envelope, "/result/file/totalLines"), lines.length);
		const warned = at(envelope, "/_meta/warnings/0/message");
		const left = `lines ${end + 1} to 30000 are left out; startLine ${end + 1} goes on with them`;
		assert.equal(warned, end < lines.length ? left : undefined);
		next = end + 1;
	}
	assert.deepEqual(read.join("\n").split("\n"), lines);
	assert.equal(read.length, 4);
	const wide = envelopeOf(await client.call("show_file", { path: "wide.txt" }));
	assert.equal(String(at(wide, "/result/file/text")).length, 80_000);
	assert.equal(at(wide, "/_meta/warnings/0/message"), "line 1 has more than 80000 letters; its beginning is shown");
});

test("rendered for reading, a file has every line that the answer says it has, and the warning", async (t) => {
	const lines = Array.from({ length: 30_000 }, (_, line) => `line ${line + 1}`);
	const space = await workspaceOf(t, { "long.txt": `${lines.join("\n")}\n` });
	const { client } = await serve(t, space);
	const answer = await client.call("show_file", { path: "long.txt", render: "porcelain" });
	const end = Number(at(envelopeOf(answer), "/result/file/endLine"));
	const [head, warning, ...shown] = String(at(answer.result, "/content/0/text")).split("\n");
	assert.equal(head, `long.txt:1-${end} of 30000 lines`);
	assert.equal(warning, `warning: lines ${end + 1} to 30000 are left out; startLine ${end + 1} goes on with them`);
	assert.deepEqual(
		shown,
		lines.slice(0, end).map((line, index) => `  ${index + 1}: ${line}`),
	);
});

test("a folder is told from a file that is not there, with some of its files", async (t) => {
	const space = await workspaceOf(t, { "src/a.ts": "export const a = 1;\n", "src/b/c.ts": "export const c = 1;\n" });
	const { client } = await serve(t, space);
	for (const path of ["src", "src/"]) {
		const { error } = envelopeOf(await client.call("show_file", { path })) as { error: { message: string } };
		const rest = "is a folder, with src/a.ts, src/b/c.ts; search with path looks inside it";
		assert.equal(error.message, `path: ${JSON.stringify(path)} ${rest}`);
	}
});
