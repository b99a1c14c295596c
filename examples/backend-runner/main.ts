// A backend of your own: tools that a table of functions runs, beside the servers of the configuration. It checks itself.
import assert from "node:assert/strict";
import { type BackendRunner, Gateway, ToolError } from "metatools";

const functions: Record<string, (args: Readonly<Record<string, unknown>>) => unknown> = {
	add: ({ a, b }) => Number(a) + Number(b),
	shout: ({ text }) => String(text).toUpperCase(),
};

const provider: BackendRunner = {
	async run({ tool, args, onProgress }) {
		const run = functions[tool.definition.name];
		if (run === undefined) throw new ToolError("no_backends", `no function ${tool.name}`);
		onProgress?.({ progress: 1, total: 2, message: "half way" });
		return { structured: run(args) };
	},
};

const gateway = new Gateway({ backends: { provider } });
gateway.catalog.set({
	namespace: "table",
	definitions: [
		{ name: "add", description: "Add two numbers", inputSchema: { type: "object", required: ["a", "b"] } },
		{ name: "shout", description: "Upper case" },
	],
	backendOf: (definition) => ({ kind: "provider", provider: { providerId: "table", toolId: definition.name } }),
});

const request = { viewer: { id: "example" }, signal: new AbortController().signal };
const sum = await gateway.runner.run({ ...request, toolId: "table:add", args: { a: 2, b: 3 } });
assert.equal(sum.structured, 5);
// Validation, deadlines and errors are the gateway's, whoever runs the tool.
await assert.rejects(
	gateway.runner.run({ ...request, toolId: "table:add", args: { a: 2 } }),
	/args\/b: expected a value, got none/,
);
await gateway.stop();
console.log("backend-runner: ok");
