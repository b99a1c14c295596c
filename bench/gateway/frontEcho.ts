// The same echo behind the product's HTTP front, with the checks it makes by default; with the URL of a store, its sessions
// are kept there.
import { RpcError } from "libmcp";
import { createFront, LOOPBACK_NAMES, listen, McpEndpoint } from "libmcp/http";
import { openStore } from "libmcp/store";

const [url] = process.argv.slice(2);
const store = url === undefined ? undefined : await openStore(url);
const endpoint = new McpEndpoint({
	dispatcher: async (method, params) => {
		if (method === "tools/list") return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
		const { arguments: given } = params as { arguments?: { text?: string } };
		if (method !== "tools/call") throw new RpcError(-32601, "only tools/call is measured");
		return { content: [{ type: "text", text: given?.text ?? "" }] };
	},
	...(store !== undefined && { keeping: { store, scope: "/mcp" } }),
	description: { info: { name: "echo", version: "1.0.0" }, capabilities: { tools: {} } },
});
const front = createFront({
	endpoint: (path) => (path === "/mcp" ? endpoint : undefined),
	origins: { hosts: LOOPBACK_NAMES, origins: [] },
});
const { address } = await listen(front);
process.stdout.write(`${address}/mcp\n`);
