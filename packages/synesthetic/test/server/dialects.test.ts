import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { verifies } from "../../../../e2e/verifies.ts";
import { Assets } from "../../src/assets.ts";
import { CONTRACT_TOOLS, TOOLS } from "../../src/server/tools/tools.ts";
import { readSettings } from "../../src/settings.ts";
import { ANSWERS, CALLS, sampleFolder } from "./sample.ts";
import { COMMAND, StdioClient } from "./stdioClient.ts";

const connect = async (t: Parameters<typeof sampleFolder>[0], cwd: string, args: string[] = []): Promise<Client> => {
	const client = new Client({ name: "witness", version: "1.0.0" });
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [COMMAND, ...args],
		cwd,
		env: { PATH: process.env.PATH ?? "", MCP_READY_FILE: "" },
		stderr: "ignore",
	});
	t.after(() => client.close());
	await client.connect(transport);
	return client;
};

verifies(
	["003-1-stdio-json-rpc", "003-11-consistent-over-stdio"],
	"every tool answers over stdio and as a library function what is expected of it",
	async (t) => {
		const cwd = sampleFolder(t);
		const client = await new StdioClient(t, { cwd }).ready();
		const assets = new Assets(readSettings({}, cwd));
		const called = new Set<string>();
		for (const [index, [method, params]] of CALLS.entries()) {
			called.add(method);
			const answer = await TOOLS.get(method)?.run(JSON.parse(JSON.stringify(params)), assets);
			assert.deepEqual(JSON.parse(JSON.stringify(answer)), ANSWERS[index], `${method}, by the library`);
			assert.deepEqual(await client.call(method, params), ANSWERS[index], `${method}, over stdio`);
		}
		assert.deepEqual([...called].sort(), [
			"diff_assets",
			"get_example",
			"get_schema",
			"list_examples",
			"list_schemas",
			"populate_backend",
			"validate_asset",
		]);
		assert.deepEqual(Object.keys(CONTRACT_TOOLS).sort(), [...called].sort());
	},
);

for (const args of [[], ["--direct"]]) {
	const how = args.length === 0 ? "behind the host" : "in one process";

	verifies(
		["003-1-mcp-dialect", "003-1-same-answers-both-dialects"],
		`${how}, a real MCP client gets the same result objects as a plain caller`,
		async (t) => {
			const cwd = sampleFolder(t);
			const mcp = await connect(t, cwd, args);
			const plain = await new StdioClient(t, { args, cwd }).ready();
			assert.equal(mcp.getServerVersion()?.name, "synesthetic");
			const { tools } = await mcp.listTools();
			for (const name of TOOLS.keys())
				assert.ok(
					tools.some((tool) => tool.name === name && tool.outputSchema),
					name,
				);
			for (const [name, params] of CALLS) {
				const { structuredContent, content } = await mcp.callTool({ name, arguments: params });
				const expected = await plain.call(name, params);
				assert.deepEqual(structuredContent, expected, name);
				assert.deepEqual(JSON.parse((content as { text: string }[])[0]?.text ?? ""), expected, name);
			}
		},
	);

	test(`${how}, the tools are those that the page lists`, async (t) => {
		const mcp = await connect(t, sampleFolder(t), args);
		const page = readFileSync(new URL("../../../../docs/synesthetic.md", import.meta.url), "utf8");
		const [, tables = ""] = /^## Tools\n([\s\S]*?)^As subcommands/m.exec(page) ?? [];
		const listed = [...tables.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = ""]) => name);
		const [, added = ""] = /The host adds the\s+tools (.*?); `--direct` has neither/.exec(page) ?? [];
		const ofHost = [...added.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
		assert.equal(ofHost.length, 2);
		const { tools } = await mcp.listTools();
		const names = tools.map(({ name }) => name);
		assert.deepEqual(names.toSorted(), [...listed, ...(args.length === 0 ? ofHost : [])].toSorted());
	});

	test(`${how}, schemas and examples are resources`, async (t) => {
		const mcp = await connect(t, sampleFolder(t), args);
		const { resources } = await mcp.listResources();
		assert.deepEqual(
			resources.map(({ uri }) => uri),
			[
				"synesthetic://schema/synesthetic-asset",
				"synesthetic://schema/tone",
				"synesthetic://example/SynestheticAsset_Example1.json",
				"synesthetic://example/SynestheticAsset_Example2.json",
				"synesthetic://example/Tone_Example.json",
			],
		);
		const { contents } = await mcp.readResource({ uri: "synesthetic://example/Tone_Example.json" });
		assert.deepEqual(JSON.parse((contents[0] as { text: string }).text), {
			$schemaRef: "jsonschema/tone.schema.json",
			frequency: 1,
		});
		await assert.rejects(mcp.readResource({ uri: "synesthetic://example/..%2Fversion.json" }));
		await assert.rejects(mcp.readResource({ uri: "synesthetic://schema/none" }), { code: -32002 });
	});

	test(`${how}, the template of an example takes the path that list_examples prints`, async (t) => {
		const cwd = sampleFolder(t);
		writeFileSync(join(cwd, "libs/synesthetic-schemas/examples/Größe 1.json"), "{}");
		const mcp = await connect(t, cwd, args);
		const { resourceTemplates } = await mcp.listResourceTemplates();
		const template = resourceTemplates.map(({ uriTemplate }) => uriTemplate).find((each) => each.includes("{+path}"));
		const { structuredContent } = await mcp.callTool({ name: "list_examples", arguments: {} });
		const { examples } = structuredContent as { examples: readonly { path: string }[] };
		assert.equal(examples.length, 4);
		for (const { path } of examples) {
			const { contents } = await mcp.readResource({ uri: `${template?.replace("{+path}", encodeURI(path))}` });
			const { structuredContent: got } = await mcp.callTool({ name: "get_example", arguments: { path } });
			const { example } = got as { example: unknown };
			assert.deepEqual(JSON.parse((contents[0] as { text: string }).text), example, path);
		}
	});

	test(`${how}, an answer that nests deeper than MCP's frames may is said to, and given to a plain caller`, async (t) => {
		const cwd = sampleFolder(t);
		const deep = `{"a":${"[".repeat(300)}${"]".repeat(300)}}`;
		writeFileSync(join(cwd, "libs/synesthetic-schemas/examples/Deep.json"), deep);
		const mcp = await connect(t, cwd, args);
		const { structuredContent, isError } = await mcp.callTool({
			name: "get_example",
			arguments: { path: "Deep.json" },
		});
		assert.equal(isError, true);
		assert.deepEqual(structuredContent, {
			ok: false,
			reason: "unsupported",
			detail: "the answer nests 302 levels deep, over MCP at most 250; a plain request gets it",
		});
		const plain = await new StdioClient(t, { args, cwd }).ready();
		const { example } = (await plain.call("get_example", { path: "Deep.json" })) as { example: unknown };
		assert.equal(JSON.stringify(example), deep);
	});

	test(`${how}, the modern era needs no handshake, and MCP before a handshake is refused`, async (t) => {
		const client = await new StdioClient(t, { args, cwd: sampleFolder(t) }).ready();
		const refused = await client.ask({ jsonrpc: "2.0", id: 1, method: "tools/list" });
		assert.equal((refused.error as { code: number }).code, -32600);
		const _meta = {
			"io.modelcontextprotocol/protocolVersion": "2026-07-28",
			"io.modelcontextprotocol/clientInfo": { name: "w", version: "1" },
			"io.modelcontextprotocol/clientCapabilities": {},
		};
		const modern = await client.ask({
			jsonrpc: "2.0",
			id: "m",
			method: "tools/call",
			params: { name: "get_schema", arguments: { name: "none" }, _meta },
		});
		assert.deepEqual((modern.result as { structuredContent: unknown }).structuredContent, {
			ok: false,
			reason: "not_found",
		});
		assert.equal((modern.result as { isError: unknown }).isError, true);
		const unknown = await client.ask({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "nope", _meta } });
		assert.deepEqual(
			[(unknown.error as { code: number }).code, (unknown.error as { data: { code: string } }).data.code],
			[-32602, "UNKNOWN_TOOL"],
		);
		for (const method of ["tools/list", "resources/list", "resources/templates/list"]) {
			const { error } = await client.ask({ jsonrpc: "2.0", id: 5, method, params: { cursor: "2", _meta } });
			assert.deepEqual(error, {
				code: -32602,
				message: "cursor: the whole list is one page, there is no other",
				data: { code: "INVALID_PARAMS", message: "cursor: the whole list is one page, there is no other" },
			});
			assert.ok("result" in (await client.ask({ jsonrpc: "2.0", id: 6, method, params: { cursor: null, _meta } })));
		}
		for (const [given, detail] of [
			[{ base: {}, target: {} }, "new: expected a JSON value, got nothing; target: no such argument"],
			[undefined, "base: expected a JSON value, got nothing; new: expected a JSON value, got nothing"],
		] as const) {
			const params = { name: "diff_assets", arguments: given, _meta };
			const { result } = await client.ask({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
			const { structuredContent, isError } = result as { structuredContent: unknown; isError: unknown };
			assert.deepEqual([structuredContent, isError], [{ ok: false, reason: "unsupported", detail }, true]);
		}
		assert.deepEqual(await client.call("diff_assets", { base: {} }), { ok: true, patch: [] });
		const missing = await client.ask({ jsonrpc: "2.0", id: 4, method: "prompts/list", params: { _meta } });
		assert.equal((missing.error as { code: number }).code, -32601);
		const uri = "synesthetic://schema/none";
		const unread = await client.ask({ jsonrpc: "2.0", id: 5, method: "resources/read", params: { uri, _meta } });
		assert.equal((unread.error as { code: number }).code, -32602);
	});
}

verifies(
	"003-1-mcp-dialect",
	"a client of the newest revision lists, calls and reads without a handshake",
	async (t) => {
		const client = new ModernClient({ name: "witness", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
		const env = { PATH: process.env.PATH ?? "", MCP_READY_FILE: "" };
		t.after(() => client.close());
		await client.connect(
			new ModernTransport({ command: process.execPath, args: [COMMAND], cwd: sampleFolder(t), env, stderr: "ignore" }),
		);
		assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
		assert.ok((await client.listTools()).tools.some(({ name }) => name === "diff_assets"));
		const { structuredContent, isError } = await client.callTool({ name: "get_schema", arguments: { name: "none" } });
		assert.deepEqual([structuredContent, isError], [{ ok: false, reason: "not_found" }, true]);
		assert.equal((await client.listResources()).resources.length, 5);
	},
);

verifies("003-6-unsupported", "an unknown method and a disabled backend answer unsupported", async (t) => {
	const client = await new StdioClient(t, { cwd: sampleFolder(t) }).ready();
	assert.deepEqual(await client.call("nope"), { ok: false, reason: "unsupported", detail: "tool not implemented" });
	assert.deepEqual(await client.call("populate_backend", { asset: {} }), {
		ok: false,
		reason: "unsupported",
		detail: "backend disabled",
	});
});

test("arguments of a tools/call keep numbers no double can hold", async (t) => {
	const client = await new StdioClient(t, { args: ["--direct"], cwd: sampleFolder(t) }).ready();
	const meta =
		'"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"w","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}';
	client.send(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"diff_assets","arguments":{"base":{},"new":{"a":9007199254740993}},${meta}}}\n`,
	);
	assert.match(
		await client.line(),
		/"structuredContent":\{"ok":true,"patch":\[\{"op":"add","path":"\/a","value":9007199254740993\}\]\}/,
	);
});
