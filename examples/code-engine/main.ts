// A code engine of your own: a language of one tool call per line, `namespace:name {json}`. It checks itself.
import assert from "node:assert/strict";
import { type CodeEngine, Gateway, gatewayServer } from "metatools";

const lines: CodeEngine = {
	name: "lines",
	languages: ["lines"],
	async execute({ code, signal }, tools) {
		const started = performance.now();
		const values: unknown[] = [];
		for (const line of code.split("\n").filter((text) => text.trim() !== "")) {
			const [id = "", ...json] = line.split(" ");
			values.push(await tools.call(id, JSON.parse(json.join(" ") || "{}"), signal));
		}
		const durationMs = Math.round(performance.now() - started);
		return { value: values, stdout: "", stderr: "", durationMs, toolCalls: [] };
	},
};

const gateway = new Gateway({ codeEngine: lines });
const context = {
	era: "legacy" as const,
	id: "1" as never,
	signal: new AbortController().signal,
	client: { protocolVersion: "2025-11-25", capabilities: {} },
	wantsProgress: false,
	progress: () => {},
	notify: () => {},
	request: async () => ({}),
};
const params = { name: "execute_code", arguments: { language: "lines", code: "local:ping\nlocal:ping {}" } };
const answer = await gatewayServer(gateway).dispatcher()("tools/call", params, context);
assert.deepEqual((answer as { structuredContent: { value: unknown } }).structuredContent.value, [
	{ message: "pong" },
	{ message: "pong" },
]);
await gateway.stop();
console.log("code-engine: ok");
