import assert from "node:assert/strict";
import { test } from "node:test";
import { scanEnvelope } from "libmcp/serve";
import { cutToLeanCall } from "../../src/server/dispatch/inProcessHandler.ts";
import { sampleFolder } from "./sample.ts";
import { StdioClient } from "./stdioClient.ts";

const PADDING = "x".repeat(2_000);

function call(name: string, args: string, more = ""): string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}${more}}}`;
}

function lean(text: string): string | undefined {
	const frame = Buffer.from(text);
	const request = scanEnvelope(frame);
	assert.ok(request.kind === "request");
	return cutToLeanCall({ request, frame })?.frame.toString();
}

test("long arguments are cut out of a call, and nothing else; where a name repeats or is escaped they stay", () => {
	const args = `{"asset":{"a":[{"b":"${PADDING}"}]},"schema":"tone"}`;
	const more = ',"_meta":{"progressToken":7}';
	assert.equal(lean(call("validate_asset", args, more)), call("validate_asset", "{}", more));
	for (const kept of [
		'{"asset":1,"schema":"tone"}',
		args.replace('"b":', '"b":1,"b":'),
		args.replace('"b":', '"\\u0062":'),
		args.replace('"schema"', '"asset":1,"schema"'),
		`["${PADDING}"]`,
		`"${PADDING}"`,
	])
		assert.equal(lean(call("validate_asset", kept)), undefined, kept.slice(0, 60));
	assert.equal(lean(call("x", args).replace("tools/call", "tools/list")), undefined);
});

for (const args of [[], ["--direct"]]) {
	const how = args.length === 0 ? "behind the host" : "in one process";

	test(`${how}, a call with long arguments is answered as one with short arguments is`, async (t) => {
		const client = await new StdioClient(t, { args, cwd: sampleFolder(t) }).ready();
		await client.ask({
			jsonrpc: "2.0",
			id: 0,
			method: "initialize",
			params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
		});
		client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
		const answerTo = async (name: string, text: string): Promise<string> => {
			client.send(`${call(name, text)}\n`);
			return client.line();
		};
		for (const [name, start, end] of [
			["validate_asset", '{"asset":{"name":"n","tone":{"frequency":1}},"schema":"synesthetic-asset"', "}"],
			["validate_asset", '{"asset":{"name":"n","tone":{"frequency":-1}},"schema":"synesthetic-asset"', "}"],
			["validate_asset", '{"asset":{"name":7,"zz":1},"schema":"synesthetic-asset","detailed":true', "}"],
			["validate_asset", '{"asset":{"frequency":-1e-400},"schema":"tone"', "}"],
			["validate_asset", '{"asset":{"frequency":1},"schema":"nope"', "}"],
			["validate_asset", '{"asset":{"frequency":1}', "}"],
			["validate_asset", '{"asset":{"frequency":1,"frequency":2},"schema":"tone"', "}"],
			["validate_asset", '{"asset":{"fr\\u0065quency":-1},"schema":"tone"', "}"],
			["diff_assets", '{"base":{"a":1.0,"b":"\\u00e9"},"new":{"a":2.50,"b":"e","c":[1e2]}', "}"],
			["diff_assets", '{"base":{"a":1,"a":2},"new":{"a":2}', "}"],
			["diff_assets", '{"new":{"a":12345678901234567890}', "}"],
			["apply_patch", '{"document":{"n":1.50},"patch":[{"op":"add","path":"/a","value":1e400}]', "}"],
			["suggest_fix", '{"asset":{"frequency":"5"},"schema":"tone"', "}"],
			["no_tool", '{"a":1', "}"],
			["validate_asset", '["a"', "]"],
		] as const) {
			const isObject = end === "}";
			const short = await answerTo(name, `${start}${isObject ? ',"pad":"x"' : ',"x"'}${end}`);
			assert.equal(await answerTo(name, `${start}${isObject ? `,"pad":"${PADDING}"` : `,"${PADDING}"`}${end}`), short);
		}
		assert.match(await answerTo("validate_asset", `"${PADDING}"`), /arguments: expected an object/);
		assert.equal(await client.end(), 0);
	});
}
