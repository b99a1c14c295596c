// Clients of every revision at every door of ours, over both transports.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe } from "node:test";
import { verifies } from "../verifies.ts";
import { type Json, REVISIONS, type Revision } from "./releases.ts";
import { FEATURES, folderOfFile, HOLDFAST, METATOOLS, PAIROFCLEATS, SYNESTHETIC, serving } from "./running.ts";
import { type Connected, connect, type Reach } from "./sdkClients.ts";

const folder = folderOfFile();
const repository = join(folder, "repository");
mkdirSync(repository);
writeFileSync(join(repository, "one.ts"), "export const one = 1;\n");
const state = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_RUNTIME_DIR: folder };
const config = join(folder, "metatools.json");
const features = { command: process.execPath, args: FEATURES, elicitation: true };
writeFileSync(config, JSON.stringify({ mcpServers: { features } }));

const node = (...args: readonly string[]): Reach => ({ command: process.execPath, args });
const gateway = serving([METATOOLS, "serve", "--transport=streamable", "--port=0", "-c", config], state);
const hosted = serving([HOLDFAST, "host", "--http", "127.0.0.1:0", "--", process.execPath, ...FEATURES], state);
const own = serving([...FEATURES, "--http"]);

type Door = { readonly name: string; readonly reach: () => Reach | Promise<Reach> };
const at = async (url: Promise<string>, path = ""): Promise<Reach> => ({ url: `${await url}${path}` });

/** Doors to the server with every feature. */
const FEATURE_DOORS: readonly Door[] = [
	{ name: "libmcp's server on stdio", reach: () => node(...FEATURES) },
	{ name: "the SDK's server on stdio", reach: () => node(...FEATURES, "--sdk") },
	{ name: "holdfast host on stdio", reach: () => node(HOLDFAST, "host", "--", process.execPath, ...FEATURES) },
	{ name: "libmcp's server on HTTP", reach: () => at(own) },
	{ name: "the passthrough", reach: () => at(gateway, "/features") },
	{ name: "holdfast host on HTTP", reach: () => at(hosted) },
];

async function enter(revision: Revision, { reach }: Door): Promise<Connected> {
	const connected = await connect(revision, await reach());
	after(() => connected.client.close());
	assert.equal(connected.revision, revision);
	return connected;
}

/** Whether the revision is this one or a later one. */
const since = (revision: Revision, first: Revision): boolean => revision >= first;

void describe("clients of every revision", { concurrency: 3 }, () => {
	for (const revision of REVISIONS) {
		for (const door of FEATURE_DOORS) {
			verifies("revisions-answered", `${door.name} serves a client of ${revision} with what that has`, async () => {
				const { client, got, asked } = await enter(revision, door);
				checkServer(revision, client.getServerVersion(), client.getServerCapabilities());
				await client.listTools();
				const tools = lastResult(got, "tools").tools as Json[];
				checkTool(
					revision,
					tools.find(({ name }) => name === "answer"),
				);
				await client.callTool({ name: "answer", arguments: {} });
				checkAnswer(revision, lastResult(got, "content"));
				await client.callTool({ name: "show", arguments: {} });
				checkContents(revision, lastResult(got, "content"));
				await checkQuestions(revision, client, asked);
				await checkProgress(revision, client);
				await checkPrompts(revision, client, got);
				await client.listResources();
				const resources = lastResult(got, "resources").resources as Json[];
				assert.equal(resources[0]?.title, since(revision, "2025-06-18") ? "Note one" : undefined);
				const { contents } = (await client.readResource({ uri: "note://one" })) as { contents: Json[] };
				assert.equal(contents[0]?.text, "The note.");
				if (!since(revision, "2025-11-25")) assert.doesNotMatch(JSON.stringify(got), /"icons"|"execution"|websiteUrl/);
			});
		}

		for (const door of [
			{ name: "the gateway on stdio", reach: () => node(METATOOLS, "serve", "-c", config) },
			{ name: "the gateway on HTTP", reach: () => at(gateway) },
		])
			verifies("revisions-answered", `${door.name} serves a client of ${revision} with what that has`, async () => {
				const { client, asked, got } = await enter(revision, door);
				await client.listTools();
				const run = (lastResult(got, "tools").tools as Json[]).find(({ name }) => name === "run_tool");
				assert.equal("annotations" in (run ?? {}), since(revision, "2025-03-26"));
				const call = async (tool: string): Promise<Json> => {
					await client.callTool({ name: "run_tool", arguments: { tool_id: `features:${tool}`, args: {} } });
					return lastResult(got, "content");
				};
				const answered = await call("answer");
				assert.match(textOf(answered), /42/);
				if (!since(revision, "2025-06-18")) assert.ok(!("structuredContent" in answered));
				const kinds = blocksOf(await call("show")).map(({ type }) => type);
				assert.equal(kinds.includes("audio"), since(revision, "2025-03-26"));
				assert.equal(kinds.includes("resource_link"), since(revision, "2025-06-18"));
				assert.match(textOf(await call("ask")), since(revision, "2025-06-18") ? /chose blue/ : /cancel/);
				assert.equal(asked.length, since(revision, "2025-06-18") ? 1 : 0);
			});

		for (const door of [
			{ name: "pairofcleats", reach: () => node(PAIROFCLEATS, "mcp", "--repo", repository) },
			{ name: "synesthetic", reach: () => node(SYNESTHETIC) },
			{ name: "synesthetic in one process", reach: () => node(SYNESTHETIC, "--direct") },
		])
			verifies("revisions-answered", `${door.name} serves a client of ${revision} with what that has`, async () => {
				const { client, got } = await enter(revision, door);
				assert.equal(client.getServerVersion()?.title !== undefined, since(revision, "2025-06-18"));
				await client.listTools();
				const [tool] = lastResult(got, "tools").tools as Json[];
				assert.equal("annotations" in (tool ?? {}), since(revision, "2025-03-26"));
				assert.equal("title" in (tool ?? {}), since(revision, "2025-06-18"));
				assert.equal("outputSchema" in (tool ?? {}), since(revision, "2025-06-18"));
				assert.match(JSON.stringify(tool?._meta), /io\.libmcp\/effect/, "a host still reads what may be repeated");
				const name = door.name === "pairofcleats" ? "config_status" : "list_schemas";
				await client.callTool({ name, arguments: {} });
				const result = lastResult(got, "content");
				assert.ok(textOf(result).length > 2);
				assert.equal("structuredContent" in result, since(revision, "2025-06-18"));
			});
	}
});

function checkServer(revision: Revision, info: Json | undefined, capabilities: Json | undefined): void {
	assert.equal(info?.name, "features");
	assert.equal(info?.title, since(revision, "2025-06-18") ? "Features" : undefined);
	assert.equal(info?.websiteUrl, since(revision, "2025-11-25") ? "https://example.com" : undefined);
	assert.equal(capabilities !== undefined && "completions" in capabilities, since(revision, "2025-03-26"));
}

function checkTool(revision: Revision, tool: Json | undefined): void {
	const annotations = {
		...(revision === "2025-03-26" && { title: "The answer" }),
		readOnlyHint: true,
	};
	assert.deepEqual(tool?.annotations, since(revision, "2025-03-26") ? annotations : undefined);
	assert.equal(tool?.title, since(revision, "2025-06-18") ? "The answer" : undefined);
	assert.equal("outputSchema" in (tool ?? {}), since(revision, "2025-06-18"));
	assert.equal("icons" in (tool ?? {}), since(revision, "2025-11-25"));
}

function checkAnswer(revision: Revision, result: Json): void {
	assert.deepEqual(result.structuredContent, since(revision, "2025-06-18") ? { answer: 42 } : undefined);
	assert.deepEqual(result.content, [{ type: "text", text: '{"answer":42}' }]);
}

function checkContents(revision: Revision, result: Json): void {
	const [text, sound, link] = blocksOf(result);
	assert.deepEqual(text, { type: "text", text: "all kinds" });
	assert.deepEqual(
		sound,
		since(revision, "2025-03-26")
			? { type: "audio", data: "UklGRg==", mimeType: "audio/wav" }
			: { type: "resource", resource: { uri: "attachment:audio", mimeType: "audio/wav", blob: "UklGRg==" } },
	);
	assert.deepEqual(
		link,
		since(revision, "2025-06-18")
			? { type: "resource_link", uri: "note://one", name: "one", mimeType: "text/plain" }
			: { type: "text", text: "one (text/plain) <note://one>" },
	);
}

async function checkQuestions(revision: Revision, client: Connected["client"], asked: Json[]): Promise<void> {
	if (since(revision, "2025-06-18")) {
		assert.equal(textOf(await client.callTool({ name: "ask", arguments: {} })), "chose blue");
		const form = asked.pop()?.requestedSchema as { properties: Record<string, Json> };
		// In 2025-06-18 neither a text nor a number has a default.
		const presets = since(revision, "2025-11-25") ? ["red", 3] : [undefined, undefined];
		assert.deepEqual(
			[form.properties.colour, form.properties.size].map((property) => property?.default),
			presets,
		);
	} else await assert.rejects(client.callTool({ name: "ask", arguments: {} }), /does not declare what elicitation/);
	assert.equal(textOf(await client.callTool({ name: "think", arguments: {} })), "thought fine");
	const { messages } = asked.pop() as { messages: Json[] };
	const one = { type: "text", text: "one" };
	const sound = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" };
	const said = (content: unknown): Json => ({ role: "user", content });
	if (since(revision, "2025-11-25")) assert.deepEqual(messages, [said([one, sound])]);
	else if (since(revision, "2025-03-26")) assert.deepEqual(messages, [said(one), said(sound)]);
	else assert.deepEqual(messages, [said(one), said({ type: "text", text: "[audio audio/wav]" })]);
}

async function checkProgress(revision: Revision, client: Connected["client"]): Promise<void> {
	const steps: Json[] = [];
	const options = { onprogress: (update: Json) => steps.push(update) };
	const params = { name: "walk", arguments: {} };
	// The later line takes no schema before the options.
	await (revision === "2026-07-28" ? client.callTool(params, options) : client.callTool(params, undefined, options));
	const message = since(revision, "2025-03-26") ? { message: "half" } : {};
	assert.deepEqual(steps, [{ progress: 1, total: 2, ...message }]);
}

async function checkPrompts(revision: Revision, client: Connected["client"], got: readonly Json[]): Promise<void> {
	await client.listPrompts();
	const prompts = lastResult(got, "prompts").prompts as Json[];
	assert.equal(prompts[0]?.title, since(revision, "2025-06-18") ? "Greeting" : undefined);
	const [whom] = (prompts[0]?.arguments ?? []) as Json[];
	assert.equal(whom?.title, since(revision, "2025-06-18") ? "Whom" : undefined);
	const { messages } = (await client.getPrompt({ name: "greet", arguments: { whom: "you" } })) as { messages: Json[] };
	assert.deepEqual(messages, [{ role: "user", content: { type: "text", text: "Hello." } }]);
	const ref = { type: "ref/prompt", name: "greet" };
	const { completion } = (await client.complete({ ref, argument: { name: "whom", value: "w" } })) as {
		completion: Json;
	};
	assert.deepEqual(completion.values, ["world"]);
}

/** As it came: the SDK's own schemas drop members that they do not know. */
function lastResult(got: readonly Json[], member: string): Json {
	const results = got.map(({ result }) => result as Json | undefined);
	return results.findLast((result) => result !== undefined && member in result) ?? {};
}

function blocksOf(result: Json): Json[] {
	return result.content as Json[];
}

function textOf(result: Json): string {
	return blocksOf(result)
		.map(({ text }) => text ?? "")
		.join("\n");
}
