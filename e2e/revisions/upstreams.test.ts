// Servers of every revision behind the gateway, for clients of every revision.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe } from "node:test";
import { verifies } from "../verifies.ts";
import { type Json, REVISIONS, type Revision } from "./releases.ts";
import { folderOfFile, METATOOLS, script, serving } from "./running.ts";
import { type Connected, connect } from "./sdkClients.ts";

const folder = folderOfFile();
const since = (revision: Revision, first: Revision): boolean => revision >= first;
const nameOf = (revision: Revision, over: string): string => `r${revision.replaceAll("-", "_")}_${over}`;
const servers = await Promise.all(REVISIONS.flatMap((revision) => [stdio(revision), http(revision)]));
const config = join(folder, "metatools.json");
writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
const state = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_RUNTIME_DIR: folder };
const gateway = await serving([METATOOLS, "serve", "--transport=streamable", "--port=0", "-c", config], state);

async function stdio(revision: Revision): Promise<[string, Json]> {
	const command = { command: process.execPath, args: script("upstreamServer.ts", revision) };
	return [nameOf(revision, "stdio"), { ...command, ...mannerOf(revision) }];
}

async function http(revision: Revision): Promise<[string, Json]> {
	const url = await serving(script("upstreamServer.ts", revision, "--http"));
	const isSse = revision === "2024-11-05";
	return [nameOf(revision, "http"), { type: isSse ? "sse" : "http", url, ...mannerOf(revision) }];
}

/** The SDK's server of 2026-07-28 answers a handshake too. */
function mannerOf(revision: Revision): Json {
	return { elicitation: true, ...(revision === "2026-07-28" && { protocol: "modern" }) };
}

async function enter(revision: Revision, path = ""): Promise<Connected> {
	const connected = await connect(revision, { url: `${gateway}${path}` });
	after(() => connected.client.close());
	return connected;
}

void describe("servers of every revision", { concurrency: 3 }, () => {
	for (const behind of REVISIONS)
		for (const over of ["stdio", "http"])
			for (const revision of REVISIONS)
				verifies(
					"revisions-bridged",
					`a server of ${behind} over ${over} serves a client of ${revision} at its own path`,
					async () => {
						const { client, got, asked } = await enter(revision, `/${nameOf(behind, over)}`);
						assert.equal(client.getServerVersion()?.name, `server-${behind}`);
						await client.listTools();
						const tools = lastResult(got, "tools").tools as Json[];
						checkTool(
							behind,
							revision,
							tools.find(({ name }) => name === "kinds"),
						);
						await client.callTool({ name: "kinds", arguments: {} });
						checkContents(behind, revision, lastResult(got, "content"));
						if (since(behind, "2025-06-18") && since(revision, "2025-06-18")) {
							await client.callTool({ name: "ask", arguments: {} });
							assert.match(textOf(lastResult(got, "content")), /chose .*"colour":"blue"/);
							assert.equal(asked.length, 1);
						}
						if (behind === "2026-07-28" && revision !== behind) {
							const list = tools.find(({ name }) => name === "list");
							assert.ok(list !== undefined && !("outputSchema" in list), "only objects are structured content there");
							await client.callTool({ name: "list", arguments: {} });
							assert.deepEqual(lastResult(got, "content").content, [{ type: "text", text: "[1,2]" }]);
							assert.ok(!("structuredContent" in lastResult(got, "content")));
						}
						if (behind === "2024-11-05" && since(revision, "2025-03-26")) {
							const ref = { type: "ref/prompt", name: "greet" };
							await client.complete({ ref, argument: { name: "whom", value: "w" } });
							assert.deepEqual(lastResult(got, "completion").completion, { values: ["world"] });
						}
					},
				);

	for (const behind of REVISIONS)
		for (const over of ["stdio", "http"])
			verifies("revisions-bridged", `a server of ${behind} over ${over} runs behind the gateway`, async () => {
				const { client } = await enter("2025-11-25");
				const run = (tool: string) =>
					client.callTool({ name: "run_tool", arguments: { tool_id: `${nameOf(behind, over)}:${tool}`, args: {} } });
				assert.match(textOf(await run("kinds")), new RegExp(behind));
				if (since(behind, "2025-06-18")) assert.match(textOf(await run("ask")), /blue/);
			});
});

/** The client gets what both revisions have. */
function checkTool(behind: Revision, revision: Revision, tool: Json | undefined): void {
	const both = (first: Revision): boolean => since(behind, first) && since(revision, first);
	assert.equal((tool?.annotations as Json | undefined)?.readOnlyHint, both("2025-03-26") ? true : undefined);
	assert.equal(tool?.title, both("2025-06-18") ? "All kinds" : undefined);
	assert.equal("outputSchema" in (tool ?? {}), both("2025-06-18"));
	assert.equal("icons" in (tool ?? {}), both("2025-11-25"));
}

function checkContents(behind: Revision, revision: Revision, result: Json): void {
	const kinds = (result.content as Json[]).map(({ type }) => type);
	const expected = [
		"text",
		...(since(behind, "2025-03-26") ? [since(revision, "2025-03-26") ? "audio" : "resource"] : []),
		...(since(behind, "2025-06-18") ? [since(revision, "2025-06-18") ? "resource_link" : "text"] : []),
	];
	assert.deepEqual(kinds, expected);
	const isStructured = since(behind, "2025-06-18") && since(revision, "2025-06-18");
	assert.deepEqual(result.structuredContent, isStructured ? { revision: behind } : undefined);
}

function lastResult(got: readonly Json[], member: string): Json {
	const results = got.map(({ result }) => result as Json | undefined);
	return results.findLast((result) => result !== undefined && member in result) ?? {};
}

function textOf(result: Json): string {
	return (result.content as Json[]).map(({ text }) => text ?? "").join("\n");
}
