// The same echo as a program over stdio, by the product's own entry.
import { RpcError, serveStdio } from "libmcp";

serveStdio({
	dispatcher: async (method, params) => {
		if (method === "tools/list") return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
		const { arguments: given } = params as { arguments?: { text?: string } };
		if (method !== "tools/call") throw new RpcError(-32601, "only tools/call is measured");
		return { content: [{ type: "text", text: given?.text ?? "" }] };
	},
	description: { info: { name: "echo", version: "1.0.0" }, capabilities: { tools: {} } },
});
