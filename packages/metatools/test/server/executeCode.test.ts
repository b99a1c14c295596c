import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createWasmEngine } from "../../src/code/wasm/wasmEngine.ts";
import { loadDefaultConfig } from "../../src/config/load.ts";
import type { Settings } from "../../src/config/settings.ts";
import { createGateway } from "../../src/server/createGateway.ts";
import { type TestGateway, testGateway, texts } from "../fixtures/gateway.ts";

let demo: TestGateway;
before(async () => {
	demo = await testGateway({ codeEngine: createWasmEngine() });
});
after(() => demo.stop());

const execute = (code: string, more: object = {}) =>
	demo.call("execute_code", { language: "javascript", code, ...more });

test("a picture that code returns stands beside its value, which tells the size", async () => {
	const { content, structuredContent } = await execute("({ drawn: await tools.demo.image() })");
	assert.deepEqual(content, [
		{ type: "text", text: '{"drawn":[{"type":"image","mimeType":"image/png","bytes":2}]}' },
		{ type: "image", mimeType: "image/png", data: "aGk=" },
	]);
	assert.doesNotMatch(JSON.stringify(structuredContent), /aGk=/);
	const { content: given } = await execute("(await tools.demo.image())[0].data");
	assert.deepEqual(given, [{ type: "text", text: "aGk=" }]);
});

test("a picture and a file that a tool gives beside its value stand beside the value of code, which does not see them", async (t) => {
	const own = await testGateway({ codeEngine: createWasmEngine() });
	t.after(() => own.stop());
	const image = { type: "image", mimeType: "image/png", data: "aGk=" };
	const file = { type: "resource", resource: { uri: "x:1", text: "read me" } };
	own.peers.of("demo").answers.set("count", { content: [image, file], structuredContent: { id: 7 } });
	const run = (code: string) => own.call("execute_code", { language: "javascript", code });
	const { content } = await run("(await tools.demo.count()).id");
	const named = "[image image/png 2 bytes]\n[resource x:1 7 characters]";
	assert.deepEqual(content, [{ type: "text", text: `7\n${named}` }, image, file]);
	const many = await run("for (let n = 0; n < 30; n++) await tools.demo.count()");
	assert.equal((many.content as unknown[]).length, 4);
	const skill = await own.call("run_skill", { skill: { steps: [{ id: "draw", tool_id: "demo:count" }] } });
	assert.deepEqual(skill.content, [{ type: "text", text: `draw: {"id":7}\n${named}` }, image, file]);
});

test("what a failing tool shows stands beside the error that ends the code, once", async (t) => {
	const own = await testGateway({ codeEngine: createWasmEngine() });
	t.after(() => own.stop());
	const image = { type: "image", mimeType: "image/png", data: "aGk=" };
	own.peers
		.of("demo")
		.answers.set("count", { content: [{ type: "text", text: "no such button" }, image], isError: true });
	const shown = async (code: string) => {
		const { content } = await own.call("execute_code", { language: "javascript", code });
		return (content as unknown[]).slice(1);
	};
	assert.deepEqual(await shown("await tools.demo.count()"), [image]);
	assert.deepEqual(
		await shown("try { await tools.demo.count() } catch (e) { throw new Error('failed', { cause: e }) }"),
		[image],
	);
	assert.deepEqual(await shown("try { await tools.demo.count() } catch (e) { return e }"), [image]);
	assert.deepEqual(await shown("try { await tools.demo.count() } catch (e) { return e.message }"), []);
});

test("code that prints its answer is answered with that alone", async () => {
	assert.equal(texts(await execute("console.log('the answer')")), "the answer");
	assert.equal(texts(await execute("console.log('the answer'); 42")), "the answer\n42");
	assert.equal(texts(await execute("const nothing = 1;")), "null");
});

test("what failed is told with its place", async () => {
	const result = await execute("const a = 1;\nnull.b");
	assert.equal(texts(result), "error execution_failed (line 2, column 5): TypeError: cannot read property 'b' of null");
});

test("what was printed at length is cut as it was printed, and read on the same way", async () => {
	const code = "for (let n = 0; n < 400; n++) console.log('line', n); 'end'";
	const cut = await execute(code, { max_chars: 1_000 });
	assert.match(texts(cut), /^line 0\nline 1\n(?:.*\n)+… cut: .*\nend$/);
	const { value, stdout, truncated } = Object(cut.structuredContent);
	assert.equal(value, "end", "what is short is not cut for what is long");
	assert.match(stdout, /^line 0\nline 1\n/);
	const { handle, totalChars } = truncated;
	const rest = await demo.data("read_result", { handle, offset: totalChars - 20 });
	assert.equal(rest.text, "line 398\nline 399\nend".slice(-20));
});

test("a value that is too long is begun by itself, not by what was printed before it", async () => {
	for (const render of ["porcelain", "json"]) {
		const cut = await execute("console.log('printed'); 'x'.repeat(9_000)", { max_chars: 1_000, render });
		const { value, truncated } = Object(cut.structuredContent);
		assert.match(value, /^x{500,}$/);
		const { handle, nextOffset } = truncated;
		const rest = await demo.data("read_result", { handle, offset: nextOffset, max_chars: 20_000 });
		assert.equal(value + rest.text, "x".repeat(9_000));
	}
});

test("however many calls code makes, its value and what it printed are given as they are", async () => {
	const calls = "console.log('hi'); for (let n = 0; n < 40; n++) await tools.demo.echo({ text: 'x' });";
	for (const render of ["porcelain", "json"]) {
		const { structuredContent } = await execute(`${calls} ({ n: 1 })`, { max_chars: 1_000, render });
		const { value, stdout, toolCalls, truncated } = Object(structuredContent);
		assert.deepEqual([value, stdout, toolCalls], [{ n: 1 }, "hi\n", undefined]);
		const { text } = await demo.data("read_result", { handle: truncated.handle });
		assert.equal(JSON.parse(String(text)).toolCalls.length, 40);
	}
	assert.equal(Object((await execute(`${calls} 1`)).structuredContent).toolCalls.length, 40);
	assert.deepEqual(Object((await execute("1")).structuredContent).toolCalls, []);
});

test("an error is seen however much was printed before it", async () => {
	const cut = await execute("for (let n = 0; n < 400; n++) console.log('line', n);\nnull.b", { max_chars: 1_000 });
	assert.match(
		texts(cut),
		/\nerror execution_failed \(line 2, column 5\): TypeError: cannot read property 'b' of null$/,
	);
	assert(texts(cut).length <= 1_000);
});

test("a call that the code did not wait for is told of", async () => {
	const result = await execute("tools.demo.slow({ ms: 60_000 }); 'done'");
	assert.equal(texts(result), "1 call not awaited, so cut short when the code ended, done or not: demo:slow\ndone");
	const { toolCalls, warning } = Object(result.structuredContent);
	assert.match(warning, /not awaited/);
	assert.equal(toolCalls[0].error.message, "The run ended before this call was answered.");
});

test("a promise that failed and was not awaited is told of", async () => {
	const result = await execute("const save = async () => { throw new Error('disk full') };\nsave();\n'done'");
	const said = "a promise failed, which the code did not await (line 1, column 43): Error: disk full";
	assert.equal(texts(result), `${said}\ndone`);
	assert.equal(Object(result.structuredContent).warning, said);
});

test("a call that failed behind the back of the code is told of, also one that reached no tool", async () => {
	const failed = (line: string) => `1 call failed, which the code caught or did not await: ${line}\ndone`;
	const wait = "await tools.demo.echo({ text: 'x' });";
	assert.match(
		texts(await execute(`tools.demo.echo({ txt: 'x' }); ${wait} 'done'`)),
		/^1 call failed, which the code caught or did not await: error validation_input \(demo:echo\): .*text.*\ndone$/s,
	);
	assert.equal(
		texts(await execute(`tools.demo.echo('x'); ${wait} 'done'`)),
		failed(
			"error validation_input (demo:echo): The arguments of demo:echo: expected an object, got string; by its id a tool is called as tools.call(id, args).",
		),
	);
	assert.match(
		texts(await execute(`tools.demo.ecko({}); ${wait} 'done'`)),
		/^1 call failed.*: error tool_not_found \(demo:ecko\): .*\ndone$/s,
	);
	const thrown = await execute("await tools.demo.echo({ txt: 'x' })");
	assert.doesNotMatch(texts(thrown), /1 call failed/, "an error that ends the code is told once");
});

test("code makes as many calls as the settings allow; its argument can only lower that", async (t) => {
	const limited = await testGateway({ codeEngine: createWasmEngine(), settings: { maxToolCalls: 3 } });
	t.after(() => limited.stop());
	const code =
		"let made = 0; try { for (;;) { await tools.demo.count(); made++ } } catch ({ message }) { return made + ': ' + message }";
	const answer = async (more: object) =>
		(await limited.data("execute_code", { language: "javascript", code, ...more })).value;
	assert.equal(await answer({}), "3: This run may make 3 tool calls.");
	assert.equal(await answer({ max_tool_calls: 100 }), "3: This run may make 3 tool calls.");
	assert.equal(await answer({ max_tool_calls: 1 }), "1: This run may make 1 tool call.");
});

test("code that takes tools.call for run_tool is told how it is called", async () => {
	const said =
		"error execution_failed (line 1, column 17): ToolError: The id of tools.call: expected a tool id, got object";
	const given = await execute("await tools.call({ tool_id: 'demo:echo', args: { text: 'x' } })");
	assert.equal(texts(given), `${said}; by its id a tool is called as tools.call(id, args).`);
});

test("code that names a tool that is not there is told of the search that it has", async () => {
	const said = /No tool is called other:thing; tools\.search finds tools by what they do\.$/;
	for (const code of ["await tools.describe('other:thing')", "await tools.call('other:thing')"])
		assert.match(texts(await execute(code)), said);
});

test("whoever gives no language is told which there are", async () => {
	await assert.rejects(demo.call("execute_code", { code: "1" }), {
		code: -32602,
		message: /^arguments\/language: expected a value such as "javascript" or "typescript", got none; it takes /,
	});
	const { code } = await demo.error("execute_code", { language: "cobol", code: "1" });
	assert.equal(code, "validation_input");
});

test("execute_code is listed only if the settings leave it a sandbox, and says when that must be Docker", () => {
	const { settings, ...rest } = loadDefaultConfig();
	const describedWith = (changed: Partial<Settings>): string | undefined =>
		createGateway({ ...rest, settings: { ...settings, ...changed } }).metatools.find(
			({ name }) => name === "execute_code",
		)?.description;
	const needy = /It needs a Docker engine on this machine, as the WASM sandbox is disabled\.$/;
	assert.equal(describedWith({ runtimeBackend: "wasm", wasm: false }), undefined);
	assert.match(describedWith({ runtimeBackend: "docker", wasm: false }) ?? "", needy);
	for (const settings of [{}, { runtimeBackend: "wasm" }, { runtimeProfile: "dev", wasm: false }] as const)
		assert.match(describedWith(settings) ?? "", /is the answer\.$/);
});

test("code calls a tool also by the name that its server gave it, even where another has that name with other signs", async (t) => {
	const names = ["get user", "get_user", "plain x", "日本", "x".repeat(80)];
	const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
	const own = await testGateway({ servers: ["odd.one"], tools, codeEngine: createWasmEngine() });
	t.after(() => own.stop());
	const code = names.flatMap((name) => [
		`await tools["odd.one"][${JSON.stringify(name)}]();`,
		`await tools.odd_one[${JSON.stringify(name)}]();`,
	]);
	const { toolCalls } = await own.data("execute_code", { language: "javascript", code: code.join("\n") });
	assert.deepEqual(
		own.peers.calls,
		names.flatMap((name) => [name, name]),
		JSON.stringify(toolCalls),
	);
	await own.data("execute_code", { language: "javascript", code: "await tools.odd.one.plain_x()" });
	assert.equal(own.peers.calls.at(-1), "plain x");
});

test("code means the newest version of a tool that has several, as every id does, and may write a name's dots as they are", async (t) => {
	const inputSchema = { type: "object" };
	const tools = ["1.9", "1.10"].map((version) => ({ name: "order.place", version, inputSchema }));
	const own = await testGateway({ servers: ["shop"], tools, codeEngine: createWasmEngine() });
	t.after(() => own.stop());
	for (const code of ["tools.shop.order_place()", "tools.shop['order.place']()", "tools.shop.order.place()"]) {
		const { toolCalls } = await own.data("execute_code", { language: "javascript", code: `await ${code}` });
		assert(Array.isArray(toolCalls));
		assert.deepEqual([toolCalls[0].tool_id, toolCalls[0].ok], ["shop:order.place", true], code);
	}
});
