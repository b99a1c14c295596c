// The cheapest stdio MCP server there is: answers with the text it was given, after the milliseconds it was given.
import { createInterface } from "node:readline";

createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	const reply = () =>
		process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method, params) })}\n`);
	const ms = params?.arguments?.ms;
	if (ms === undefined) reply();
	else setTimeout(reply, ms);
});

function resultOf(method, params) {
	if (method === "initialize") {
		return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1" } };
	}
	if (method === "tools/list")
		return { tools: [{ name: "echo", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] };
	return { content: [{ type: "text", text: params?.arguments?.text ?? "" }] };
}
