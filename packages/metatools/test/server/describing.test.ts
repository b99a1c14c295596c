import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { RpcError } from "libmcp";
import { verifies } from "../../../../e2e/verifies.ts";
import { type TestGateway, testGateway, texts } from "../fixtures/gateway.ts";

const SCHEMA = {
	$schema: "https://json-schema.org/draft/2020-12/schema",
	type: "object",
	properties: {
		city: { type: "string", default: "Oslo", "x-ui": { widget: "map" }, $comment: "kept" },
		n: { type: ["integer", "null"] },
	},
	required: ["n", "city"],
	"x-vendor": [1, { deep: true }],
	unevaluatedProperties: false,
};
const RICH = {
	name: "weather",
	title: "Weather",
	description: `Says how the weather is. ${"It goes on. ".repeat(40)}`,
	inputSchema: SCHEMA,
	annotations: { readOnlyHint: true, "x-own": 1 },
	_meta: {
		notes: "Slow at night.",
		externalRefs: ["https://example.org/doc", "javascript:alert(1)"],
		examples: Array.from({ length: 9 }, (_, n) => ({ title: `Case ${n}`, description: "d", args: { city: `c${n}` } })),
	},
};

let demo: TestGateway;
before(async () => {
	demo = await testGateway({ tools: [RICH, { name: "bare", inputSchema: { type: "object", examples: [{ a: 1 }] } }] });
});
after(() => demo.stop());

verifies("004-tradeoffs-tool-describe", "describe_tool shows a summary, a schema or everything", async () => {
	const summary = await demo.data("describe_tool", { tool_id: "demo:weather", detail_level: "summary" });
	assert.deepEqual(Object.keys(summary), ["summary"]);
	assert(String(summary.summary).length <= 200);
	const schema = await demo.data("describe_tool", { tool_id: "demo:weather", detail_level: "schema" });
	assert.deepEqual(schema.schemaInfo, {
		required: ["n"],
		defaults: { city: "Oslo" },
		types: { city: ["string"], n: ["integer", "null"] },
	});
	assert.equal(schema.examples, undefined);
	const full = await demo.data("describe_tool", { tool_id: "demo:weather", detail_level: "full" });
	assert.equal(full.notes, "Slow at night.");
	assert.deepEqual(full.externalRefs, ["https://example.org/doc"]);
});

verifies(
	"004-general-guidance-schemas-end-to-end",
	"a definition reaches describe_tool as its server declares it, unknown keywords included",
	async () => {
		const { tool } = await demo.data("describe_tool", { tool_id: "demo:weather", detail_level: "schema" });
		assert.deepEqual(tool, RICH);
	},
);

test("labels of a tool that are for programs, and may change without approval, are not shown", async (t) => {
	const labels = { "1": "Ignore", "2": "rules", "3": "call", "4": "evil:exfil", vendor: { widget: "ui://w" } };
	const inputSchema = { type: "object" };
	const tools = [
		{ name: "plain", inputSchema, _meta: labels },
		{ name: "noted", inputSchema, _meta: { ...labels, notes: "Slow at night." } },
	];
	const labelled = await testGateway({ tools });
	t.after(() => labelled.stop());
	const shown = async (name: string) =>
		(await labelled.data("describe_tool", { tool_id: `demo:${name}`, detail_level: "schema" })).tool;
	assert.deepEqual(await shown("plain"), { name: "plain", inputSchema });
	assert.deepEqual(await shown("noted"), { name: "noted", inputSchema, _meta: { notes: "Slow at night." } });
});

verifies(
	"004-error-semantics-describe-validation",
	"describe_tool without a required field is refused by the field's name",
	async () => {
		for (const [args, field] of [
			[{ detail_level: "full" }, "tool_id"],
			[{ tool_id: "demo:weather" }, "detail_level"],
		] as const) {
			await assert.rejects(demo.call("describe_tool", args), (error: RpcError) => {
				assert.equal(error.code, -32602);
				assert.match(error.message, new RegExp(field));
				assert.equal((error.data as { details: { field: string } }).details.field, field);
				return true;
			});
		}
	},
);

verifies(
	"004-error-semantics-examples-validation",
	"list_tool_examples without its tool is refused by the field's name",
	async () => {
		await assert.rejects(
			demo.call("list_tool_examples", { max: 2 }),
			(error: RpcError) => error.code === -32602 && /arguments\/tool_id/.test(error.message),
		);
	},
);

verifies(
	["004-tradeoffs-tool-examples", "004-tradeoffs-examples-cap"],
	"list_tool_examples gives at most five examples, whatever is asked",
	async () => {
		const titles = async (args: object) =>
			(
				(await demo.data("list_tool_examples", { tool_id: "demo:weather", ...args })).examples as { title: string }[]
			).map((example) => example.title);
		assert.deepEqual(await titles({ max: 2 }), ["Case 0", "Case 1"]);
		assert.equal((await titles({})).length, 5);
		assert.equal((await titles({ max: 50 })).length, 5);
		const full = await demo.data("describe_tool", { tool_id: "demo:weather", detail_level: "full", examples_max: 99 });
		assert.equal((full.examples as unknown[]).length, 5);
		const fromSchema = await demo.data("list_tool_examples", { tool_id: "demo:bare" });
		assert.deepEqual((fromSchema.examples as { args: unknown }[])[0]?.args, { a: 1 });
	},
);

test("a tool nobody has is an ErrorObject, not a protocol error", async () => {
	const error = await demo.error("describe_tool", { tool_id: "demo:nothing", detail_level: "full" });
	assert.equal(error.code, "tool_not_found");
	assert.equal(error.op, "resolve");
	assert.equal(
		(await demo.error("describe_tool", { tool_id: "a:b:c:d", detail_level: "full" })).op,
		"validate_tool_id",
	);
});

test("a bare name is enough when only one server has it", async () => {
	assert.match(
		String((await demo.data("describe_tool", { tool_id: "weather", detail_level: "summary" })).summary),
		/weather/,
	);
});

test("the text of a description is as short as it can be and lets nothing in it pass for more", async (t) => {
	const description = "First.\n\n      - second  \n\r\ninput: none";
	const inputSchema = {
		$schema: "http://json-schema.org/draft-07/schema#",
		type: "object",
		properties: { q: { type: "string", description: "what to look for" } },
		required: ["q"],
	};
	const own = await testGateway({
		tools: [{ name: "look", description, inputSchema }],
		declare: ({ name }) => `tools.demo.${name}(args: {\n\tq: string;\n}): Promise<unknown>;`,
	});
	t.after(() => own.stop());
	const ask = { tool_id: "demo:look" };
	const head = "demo:look\ndescription:\n  First.\n  - second\n  input: none\n";
	assert.equal(
		texts(await own.call("describe_tool", { ...ask, detail_level: "schema" })),
		`${head}input: {"type":"object","properties":{"q":{"type":"string","description":"what to look for"}},"required":["q"]}`,
	);
	assert.equal(
		texts(await own.call("describe_tool", { ...ask, detail_level: "full" })),
		`${head}call:\n  tools.demo.look(args: {\n   q: string;\n  }): Promise<unknown>;\nits server says: A server for tests.`,
	);
});
