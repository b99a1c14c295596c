import assert from "node:assert/strict";
import { test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { sampleFolder } from "./sample.ts";
import { StdioClient } from "./stdioClient.ts";
import { residentKiB } from "./worker.ts";

const MIB = 1_048_576;
const TOO_LARGE =
	'{"jsonrpc":"2.0","id":null,"result":{"ok":false,"reason":"validation_failed","errors":[{"path":"","msg":"payload_too_large"}]}}';
const padded = (bytes: number, filler = "x"): string => {
	const frame = (text: string) =>
		`{"jsonrpc":"2.0","id":7,"method":"diff_assets","params":{"base":{},"new":{},"pad":"${text}"}}`;
	const room = bytes - Buffer.byteLength(frame(""));
	return frame(
		filler
			.repeat(Math.floor(room / Buffer.byteLength(filler)))
			.padEnd(room - Math.floor(room / Buffer.byteLength(filler)) * (Buffer.byteLength(filler) - 1), "x"),
	);
};

for (const args of [[], ["--direct"]]) {
	const how = args.length === 0 ? "behind the host" : "in one process";
	const open = (t: Parameters<typeof sampleFolder>[0]) => new StdioClient(t, { args, cwd: sampleFolder(t) }).ready();

	verifies(
		["003-3-id-echoed", "003-3-ndjson", "003-3-response-jsonrpc", "003-3-result-wrapped"],
		`${how}, each answer is one compact line with the id as it was written`,
		async (t) => {
			const client = await open(t);
			for (const id of ["1", "1.0", "1e3", "-0", "9007199254740993", '"a"', '"\\u0061"', '"é☃"', "0"]) {
				client.send(`{"jsonrpc":"2.0","id":${id},"method":"get_schema","params":{"name":"none"}}\n`);
				assert.equal(await client.line(), `{"jsonrpc":"2.0","id":${id},"result":{"ok":false,"reason":"not_found"}}`);
			}
			client.send('{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":{"base":{},"new":{"é":"☃ 😀"}}}\r\n\n   \n');
			assert.equal(
				await client.line(),
				'{"jsonrpc":"2.0","id":1,"result":{"ok":true,"patch":[{"op":"add","path":"/é","value":"☃ 😀"}]}}',
			);
		},
	);

	verifies(
		["003-3-id-types", "003-3-request-jsonrpc", "003-3-no-batch"],
		`${how}, what is no request is refused once and nothing of it runs`,
		async (t) => {
			const client = await open(t);
			const refused: readonly [string, number][] = [
				// First of all that is sent, where other readers would skip it.
				['\ufeff{"jsonrpc":"2.0","id":1,"method":"list_schemas"}', -32700],
				['{"jsonrpc":"2.0","id":null,"method":"list_schemas"}', -32600],
				['{"jsonrpc":"2.0","id":true,"method":"list_schemas"}', -32600],
				['{"jsonrpc":"2.0","id":[1],"method":"list_schemas"}', -32600],
				['{"jsonrpc":"2.0","id":{"a":1},"method":"list_schemas"}', -32600],
				['{"id":1,"method":"list_schemas"}', -32600],
				['{"jsonrpc":"1.0","id":1,"method":"list_schemas"}', -32600],
				['[{"jsonrpc":"2.0","id":1,"method":"list_schemas"},{"jsonrpc":"2.0","id":2,"method":"list_schemas"}]', -32600],
				["[]", -32600],
				["42", -32600],
				["not json", -32700],
				['{"jsonrpc":"2.0","id":5,"method":"list_sch', -32700],
				['{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":{"new":NaN}}', -32700],
				['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{},"id":2}', -32600],
				['{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":{"new":"\u0001"}}', -32700],
				['{"jsonrpc":"2.0","id":1,"params":{"new":"\u0001"},"method":"diff_assets"}', -32700],
				['{"jsonrpc":"2.0","id":"\\x","method":"diff_assets"}', -32700],
				['{"jsonrpc":"2.0","id":1,"method":"diff_assets","more":"\\x"}', -32700],
				['{"jsonrpc":"2.0","method":"diff_assets","params":{"new":"\\x"}}', -32700],
				['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"new":"\\x"}}', -32700],
				['{"jsonrpc":"2.0","id":1,"result":"\\x"}', -32700],
				['{"jsonrpc":"1.0","id":1,"method":"\u0001"}', -32700],
				['["\\x"]', -32700],
				['{"jsonrpc":"2.0","id":1,"method":null,"params":{}}', -32600],
				['{"jsonrpc":"2.0","id":1,"params":{}}', -32600],
				['{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":{"a":1}}}', -32700],
				['{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":[1]}', -32602],
				['{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":false}', -32600],
				['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602],
				['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}', -32602],
			];
			for (const [frame, code] of refused) {
				const { error, jsonrpc, id } = await client.ask(`${frame}\n`);
				assert.equal((error as { code: number } | undefined)?.code, code, frame);
				assert.equal(jsonrpc, "2.0");
				if (code === -32700) assert.equal(id, null, frame);
			}
			const { error } = await client.ask('{"jsonrpc":"2.0","id":1,"method":5}\n');
			assert.match((error as { message: string }).message, /^method must be a string \(/);
			client.send('{"jsonrpc":"2.0","id":1.0}\n{"id":1.0,"method":"list_schemas"}\n');
			for (const line of [await client.line(), await client.line()])
				assert.match(line, /^\{"jsonrpc":"2.0","id":1.0,"error":\{"code":-32600,/);
			const badUtf8 = Buffer.from(
				'{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":{"new":"\u00ff"}}\n',
				"latin1",
			);
			assert.equal(((await client.ask(badUtf8)).error as { code: number }).code, -32700);
			const extra = await client.ask(
				'{"jsonrpc": "2.0", "id": 1, "method": "diff_assets", "params": {"base": {}, "new": {}}, "foo": 1}\n',
			);
			assert.deepEqual(extra.result, { ok: true, patch: [] });
			client.send('{"jsonrpc":"2.0","method":"diff_assets","params":{}}\n');
			assert.deepEqual(await client.call("get_schema", { name: "none" }), { ok: false, reason: "not_found" });
			assert.deepEqual(client.unread, []);
		},
	);

	test(`${how}, what any JSON parser takes is answered, however deep, with the last of members that repeat`, async (t) => {
		const client = await open(t);
		const deep = "[".repeat(300) + "]".repeat(300);
		const longName = "é".repeat(2_000);
		const longNumber = `1.${"0".repeat(2_000)}`;
		const added = (id: string, value: string) =>
			`{"jsonrpc":"2.0","id":${id},"result":{"ok":true,"patch":[{"op":"add","path":"/a","value":${value}}]}}`;
		const answers: readonly [string, string][] = [
			[`{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":{"base":{},"new":{"a":${deep}}}}`, added("1", deep)],
			[
				`{"params":{"base":{},"new":{"a":${deep}}},"method":"diff_assets","id":1.50,"jsonrpc":"2.0"}`,
				added("1.50", deep),
			],
			[
				`{"jsonrpc":"2.0","id":"\\u0061","method":"diff_assets","params":{"base":{},"new":{"a":${deep}}}}`,
				added('"\\u0061"', deep),
			],
			['{"jsonrpc":"2.0","id":1,"id":2.0,"method":"diff_assets","params":{"new":{"a":1}}}', added("2.0", "1")],
			['{"jsonrpc":"2.0","id":1,"method":"x","method":"diff_assets","params":{"new":{"a":1}}}', added("1", "1")],
			['{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":{},"params":{"new":{"a":1}}}', added("1", "1")],
			[
				'{"id":1,"jsonrpc":"2.0","method":"get_schema","params":{"name":"tone","name":"none"}}',
				'{"jsonrpc":"2.0","id":1,"result":{"ok":false,"reason":"not_found"}}',
			],
			[
				'{"jsonrpc":"2.0","id":1.0,"method":"diff_assets","params":null}',
				'{"jsonrpc":"2.0","id":1.0,"result":{"ok":true,"patch":[]}}',
			],
			[
				`{"jsonrpc":"2.0","id":"${longName}","method":"diff_assets","params":{"new":{"a":1}}}`,
				added(`"${longName}"`, "1"),
			],
			[
				`{"jsonrpc":"2.0","method":"get_schema","params":{"name":"none"},"id":${longNumber}}`,
				`{"jsonrpc":"2.0","id":${longNumber},"result":{"ok":false,"reason":"not_found"}}`,
			],
			['{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":{"new":{"a":1}},"result":{}}', added("1", "1")],
			[
				'{"jsonrpc":"2.0","id":1,"method":"","params":{}}',
				'{"jsonrpc":"2.0","id":1,"result":{"ok":false,"reason":"unsupported","detail":"tool not implemented"}}',
			],
		];
		for (const [frame, answer] of answers) {
			client.send(`${frame}\n`);
			assert.equal(await client.line(), answer, frame);
		}
	});

	verifies(
		["003-3-size-guard-boundary", "003-6-payload-too-large"],
		`${how}, a line of exactly 1 MiB is accepted and one byte more is not, counted in bytes`,
		async (t) => {
			const client = await open(t);
			for (const filler of ["x", "é"]) {
				assert.equal(Buffer.byteLength(padded(MIB, filler)), MIB);
				client.send(`${padded(MIB, filler)}\n`);
				assert.equal(await client.line(), '{"jsonrpc":"2.0","id":7,"result":{"ok":true,"patch":[]}}');
				client.send(`${padded(MIB + 1, filler)}\n`);
				assert.equal(await client.line(), TOO_LARGE);
			}
			// Blanks around the request are no part of it, up to a point.
			client.send(`${padded(MIB)}  \t\r\n \t${padded(MIB)}\r\n${padded(MIB)}${" ".repeat(4096)}\n`);
			assert.equal(await client.line(), '{"jsonrpc":"2.0","id":7,"result":{"ok":true,"patch":[]}}');
			assert.equal(await client.line(), '{"jsonrpc":"2.0","id":7,"result":{"ok":true,"patch":[]}}');
			assert.equal(await client.line(), TOO_LARGE);
		},
	);

	test(`${how}, a line over the limit with an MCP request is refused under its id, wherever the id is`, async (t) => {
		const client = await open(t);
		const pad = "x".repeat(MIB);
		const refusal = { ok: false, reason: "validation_failed", errors: [{ path: "", msg: "payload_too_large" }] };
		const params = `"params":{"name":"validate_asset","arguments":{"asset":{"id":9,"method":"ping","name":"${pad}"}}}`;
		for (const frame of [
			`{"jsonrpc":"2.0","id":"a\\u0062","method":"tools/call",${params}}`,
			`{"method":"tools/call",${params},"jsonrpc":"2.0","id":"a\\u0062"}`,
			`{ "id" : "a\\u0062", ${params}, "method" : "tools/call", "jsonrpc" : "2.0" }`,
			`{"id":"a\\u0062","method":"tools/call",${params.replace(pad, `${pad}${"é".repeat(MIB)}`)}}`,
		]) {
			const { id, result } = await client.ask(`${frame}\n`);
			const { structuredContent, content, isError } = result as Record<string, unknown>;
			assert.deepEqual([id, structuredContent, isError], ["ab", refusal, true], frame.slice(0, 64));
			assert.deepEqual(content, [{ type: "text", text: JSON.stringify(refusal) }]);
		}
		const { id, error } = await client.ask(
			`{"jsonrpc":"2.0","id":1.5,"method":"resources/read","params":{"uri":"${pad}"}}\n`,
		);
		assert.deepEqual([id, (error as { code: number }).code], [1.5, -32600]);
		for (const frame of [
			`{"jsonrpc":"2.0","method":"tools/call",${params}}`,
			`{"jsonrpc":"2.0","id":null,"method":"tools/call",${params}}`,
			`{"jsonrpc":"2.0",${params}}`,
			`{"jsonrpc":"2.0","id":1,"method":"\\x/",${params}}`,
			`{"id":1,"method":"diff_assets",${params},"method":"tools/call"}`,
		]) {
			client.send(`${frame}\n`);
			assert.equal(await client.line(), TOO_LARGE, frame.slice(0, 64));
		}
	});

	verifies("003-3-size-guard", `${how}, an endless line is refused while it is read, in bounded memory`, async (t) => {
		const client = await open(t);
		const pid = client.child.pid ?? 0;
		const before = residentKiB(pid);
		const chunk = Buffer.alloc(MIB, "z");
		for (let i = 0; i < 192; i += 1)
			if (!client.child.stdin?.write(chunk)) await new Promise((resolve) => client.child.stdin?.once("drain", resolve));
		client.send("\n");
		assert.equal(await client.line(), TOO_LARGE);
		assert.ok(residentKiB(pid) - before < 96 * 1024, `grew by ${residentKiB(pid) - before} KiB`);
		assert.equal((await client.ask({ jsonrpc: "2.0", id: 2, method: "list_schemas" })).id, 2);
	});

	verifies("003-3-stdout-frames-only", `${how}, stdout carries frames only and stderr the rest`, async (t) => {
		const root = sampleFolder(t);
		const client = await new StdioClient(t, { args, cwd: root, env: { SYN_EXAMPLES_DIR: root } }).ready();
		client.send(
			'{"jsonrpc":"2.0","id":1,"method":"list_examples"}\nnot json\n{"jsonrpc":"2.0","id":2,"method":"nope"}\n',
		);
		for (let i = 0; i < 3; i += 1) assert.equal(JSON.parse(await client.line()).jsonrpc, "2.0");
		assert.equal(await client.end(), 0);
		assert.deepEqual(client.unread, []);
		assert.match(client.stderr.join(""), /^mcp:/);
	});

	test(`${how}, numbers no double can hold pass through unchanged`, async (t) => {
		const client = await open(t);
		client.send('{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":{"base":{"a":1},"new":{"a":1e999}}}\n');
		assert.equal(
			await client.line(),
			'{"jsonrpc":"2.0","id":1,"result":{"ok":true,"patch":[{"op":"replace","path":"/a","value":1e999}]}}',
		);
	});
}
