import type { StdioClient } from "./stdioClient.ts";

const META = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
	"io.modelcontextprotocol/clientCapabilities": {},
};

/** How many requests of each method the host has counted. */
export async function countedRequests(client: StdioClient): Promise<ReadonlyMap<string, number>> {
	const params = { name: "holdfast_telemetry", arguments: {}, _meta: META };
	const { result } = await client.ask({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
	const { methods } = (result as { structuredContent: { methods: { method: string; requests: number }[] } })
		.structuredContent;
	return new Map(methods.map(({ method, requests }) => [method, requests]));
}
