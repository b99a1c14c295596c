import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleFolder } from "./sample.ts";
import { StdioClient } from "./stdioClient.ts";

const NUMBERS = '[1.0,-0.0,1e2,12345678901234567890.10,"1.0"]';
const PATCH = `"patch":[{"op":"replace","path":"/n","value":${NUMBERS}}]`;
const deep = (value: string) => `${"[".repeat(3_000)}${value}${"]".repeat(3_000)}`;
const META =
	'"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}';

for (const args of [[], ["--direct"]]) {
	const how = args.length === 0 ? "behind the host" : "in one process";

	test(`${how}, a number that is handed on keeps its spelling, whatever way the request goes`, async (t) => {
		const client = await new StdioClient(t, { args, cwd: sampleFolder(t) }).ready();
		const answered = async (request: string): Promise<string> => {
			client.send(`${request}\n`);
			return client.line();
		};
		for (const params of [
			`{"base":{"n":[1]},"new":{"n":${NUMBERS}}}`,
			`{"base":{"\\u006e":[1]},"new":{"n":${NUMBERS}}}`,
			`{"base":{"n":1,"n":[1]},"new":{"n":${NUMBERS}}}`,
			`{"base":{"n":[1],"d":${deep("2")}},"new":{"n":${NUMBERS},"d":${deep("2.0")}}}`,
		]) {
			const expected = `{"jsonrpc":"2.0","id":1,"result":{"ok":true,${PATCH}}}`;
			const plain = `{"jsonrpc":"2.0","id":1,"method":"diff_assets","params":${params}}`;
			assert.equal(await answered(plain), expected, params.slice(0, 60));
			const turned = `{"params":${params},"method":"diff_assets","id":1,"jsonrpc":"2.0"}`;
			assert.equal(await answered(turned), expected, params.slice(0, 60));
		}
		const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"diff_assets","arguments":{"base":{"n":[1]},"new":{"n":${NUMBERS}}},${META}}}`;
		const answer = await answered(call);
		assert.ok(answer.includes(`"structuredContent":{"ok":true,${PATCH}}`), answer);
		assert.equal(
			await answered(`{"jsonrpc":"2.0","id":3,"method":"apply_patch","params":{"document":{"n":1},${PATCH}}}`),
			`{"jsonrpc":"2.0","id":3,"result":{"ok":true,"document":{"n":${NUMBERS}}}}`,
		);
	});

	test(`${how}, a string that is handed on is spelt alike, whatever the id and the order of the members`, async (t) => {
		const client = await new StdioClient(t, { args, cwd: sampleFolder(t) }).ready();
		const params = '{"base":{"a":1},"new":{"a":"x\\/y \\u00e9"}}';
		const result = '{"ok":true,"patch":[{"op":"replace","path":"/a","value":"x\\/y \\u00e9"}]}';
		for (const id of ["1", '"a"', '"a\\nb"', '"\\u0061"', `"${"long".repeat(20)}"`]) {
			client.send(`{"jsonrpc":"2.0","id":${id},"method":"diff_assets","params":${params}}\n`);
			assert.equal(await client.line(), `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
			client.send(`{"params":${params},"method":"diff_assets","id":${id},"jsonrpc":"2.0"}\n`);
			assert.equal(await client.line(), `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
		}
	});
}
