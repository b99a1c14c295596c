import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { type TestWorkspace, workspaceOf } from "../tools/workspace.ts";
import { PROGRAM, serve } from "./serving.ts";

const BUNDLE = new URL("../../dist/fast/serve.cjs", import.meta.url);
const UNBUNDLED = fileURLToPath(new URL("./unbundled.ts", import.meta.url));
const skip = existsSync(BUNDLE) ? false : "nothing is bundled; npm run build does it";

const CLIENT = { name: "witness", version: "1.0.0", icons: [{ src: "https://example.org/i.png", sizes: ["48x48"] }] };
const CAPABILITIES = {
	roots: { listChanged: true },
	sampling: {},
	elicitation: {},
	tasks: { list: {} },
	extensions: {},
};
const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: CAPABILITIES, clientInfo: CLIENT };
const MODERN = {
	_meta: {
		"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
		"io.modelcontextprotocol/clientInfo": CLIENT,
	},
};

/** Every method of the protocol, with valid and invalid parameters. */
const REQUESTS: readonly (readonly [method: string, params?: unknown])[] = [
	["ping"],
	["ping", { _meta: { progressToken: [] } }],
	["tools/list"],
	["tools/list", { cursor: 3 }],
	["tools/call", { name: "show_file" }],
	["tools/call", { name: "show_file", arguments: 3 }],
	["tools/call", { arguments: {} }],
	["tools/call", { name: "show_file", task: { ttl: "long" } }],
	["prompts/list"],
	["prompts/get", { name: 3 }],
	["resources/list"],
	["resources/templates/list", { cursor: "x" }],
	["resources/read", { uri: "file:///a" }],
	["resources/read", {}],
	["resources/subscribe", { uri: 1 }],
	["resources/unsubscribe", { uri: "file:///a" }],
	["completion/complete", { ref: { type: "ref/prompt", name: "a" }, argument: { name: "b", value: "c" } }],
	["completion/complete", { ref: { type: "ref/none" } }],
	["logging/setLevel", { level: "debug" }],
	["logging/setLevel", { level: "loud" }],
	["tasks/get", { taskId: "1" }],
	["tasks/result", {}],
	["tasks/list"],
	["tasks/cancel", { taskId: 1 }],
	["sampling/createMessage", { messages: [], maxTokens: 1 }],
	["elicitation/create", { message: "?", requestedSchema: { type: "object", properties: { a: { type: "string" } } } }],
	["roots/list"],
	["server/discover"],
	["subscriptions/listen", { notifications: {} }],
	["nobody/knows", { a: 1 }],
];
const NOTIFICATIONS: readonly (readonly [method: string, params?: unknown])[] = [
	["notifications/progress", { progressToken: 1, progress: "much" }],
	["notifications/cancelled", { requestId: {} }],
	["notifications/tasks/status", { taskId: "1", status: "working" }],
	["notifications/message", { level: "info", data: 1 }],
];

/** All answers of a server to the messages, in the order of their ids. */
async function answersOf(
	t: TestContext,
	space: TestWorkspace,
	program: string,
	messages: readonly (readonly [method: string, params?: unknown])[],
): Promise<string[]> {
	const { child, lines } = await serve(t, space, { raw: true, program });
	const requests = messages.filter(([method]) => !method.startsWith("notifications/")).length;
	let id = 0;
	for (const [method, params] of messages) {
		const own = method.startsWith("notifications/") ? {} : { id: ++id };
		child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...own, method, params })}\n`);
	}
	// The server asks a client that supports roots for them.
	const answers = (): string[] => lines.filter((line) => !line.includes('"method":"roots/list"'));
	await until(() => answers().length >= requests, "all answers");
	const idOf = (line: string): number => JSON.parse(line).id;
	return answers().sort((a, b) => idOf(a) - idOf(b));
}

for (const [era, messages] of [
	["with a handshake", [["initialize", INITIALIZE], ["notifications/initialized"], ...NOTIFICATIONS, ...REQUESTS]],
	[
		"without one",
		REQUESTS.filter(([method]) => method !== "subscriptions/listen").map(
			([method, params]) => [method, Object.assign({}, params, MODERN)] as const,
		),
	],
	["after a handshake that was refused", [["initialize", { ...INITIALIZE, clientInfo: {} }], ["ping"]]],
] as const) {
	test(`the bundle answers every method ${era} as the SDK does that nothing was done to`, { skip }, async (t) => {
		const space = await workspaceOf(t);
		const plain = await answersOf(t, space, UNBUNDLED, messages);
		const bundled = await answersOf(t, space, PROGRAM, messages);
		assert.deepEqual(bundled, plain);
		assert.ok(plain.length >= 2, plain.join("\n"));
	});
}
