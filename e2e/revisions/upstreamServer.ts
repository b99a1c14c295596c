// A server on the official SDK's release of one revision: `upstreamServer.ts <revision> [--http]`.
import { createServer } from "node:http";
import { type Json, RELEASES, type Revision } from "./releases.ts";

const revision = process.argv[2] as Revision;
const isHttp = process.argv.includes("--http");
const INFO = { name: `server-${revision}`, version: "1.0.0" };
const CAPABILITIES = { tools: {}, prompts: {}, logging: {} };
const isSince = (first: Revision): boolean => revision >= first;

const TOOLS = [
	{
		name: "kinds",
		description: "Says all that the revision has.",
		inputSchema: { type: "object" },
		...(isSince("2025-03-26") && { annotations: { readOnlyHint: true } }),
		...(isSince("2025-06-18") && { title: "All kinds", outputSchema: { type: "object" } }),
		...(isSince("2025-11-25") && { icons: [{ src: "https://example.com/i.png" }] }),
	},
	{ name: "ask", description: "Asks the user.", inputSchema: { type: "object" } },
	...(revision === "2026-07-28"
		? [{ name: "list", description: "Lists.", inputSchema: { type: "object" }, outputSchema: { type: "array" } }]
		: []),
];
const FORM = { type: "object", properties: { colour: { type: "string" } } };
const QUESTION = { message: "Which colour?", requestedSchema: FORM };

type Ask = (method: string, params: Json) => Promise<Json>;

async function callTool({ name, inputResponses }: Json, ask: Ask | undefined): Promise<Json> {
	if (name === "list") return { content: [], structuredContent: [1, 2] };
	if (name === "ask" && ask === undefined) {
		const { colour } = (inputResponses ?? {}) as { colour?: Json };
		if (colour === undefined)
			return {
				resultType: "input_required",
				inputRequests: { colour: { method: "elicitation/create", params: { mode: "form", ...QUESTION } } },
			};
		return { content: [{ type: "text", text: `chose ${JSON.stringify(colour.content)}` }] };
	}
	if (name === "ask") {
		const { content } = (await ask?.("elicitation/create", QUESTION)) ?? {};
		return { content: [{ type: "text", text: `chose ${JSON.stringify(content)}` }] };
	}
	return {
		content: [
			{ type: "text", text: revision },
			...(isSince("2025-03-26") ? [{ type: "audio", data: "UklGRg==", mimeType: "audio/wav" }] : []),
			...(isSince("2025-06-18") ? [{ type: "resource_link", uri: "note://one", name: "one" }] : []),
		],
		...(isSince("2025-06-18") && { structuredContent: { revision } }),
	};
}

if (revision === "2026-07-28") await serveModern();
else await serveWithHandshake(revision);

async function serveModern(): Promise<void> {
	const { createMcpHandler, Server } = await import("@modelcontextprotocol/server");
	const make = () => {
		const server = new Server(INFO, { capabilities: CAPABILITIES });
		server.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
			if (method === "tools/list") return { tools: TOOLS, ttlMs: 0, cacheScope: "private" };
			if (method === "prompts/list") return { prompts: [], ttlMs: 0, cacheScope: "private" };
			const { inputResponses } = mcpReq;
			return callTool({ ...params, ...(inputResponses && { inputResponses }) }, undefined);
		};
		return server;
	};
	if (!isHttp) {
		const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
		serveStdio(make);
		return;
	}
	const { toNodeHandler } = await import("@modelcontextprotocol/node");
	listen(toNodeHandler(createMcpHandler(make)) as Handle);
}

async function serveWithHandshake(older: Exclude<Revision, "2026-07-28">): Promise<void> {
	const { name } = RELEASES[older];
	const { Server } = await import(`${name}/server/index.js`);
	const types = await import(`${name}/types.js`);
	const anything = types.ResultSchema;
	const make = () => {
		const server = new Server(INFO, { capabilities: CAPABILITIES });
		server.setRequestHandler(types.ListToolsRequestSchema, async () => ({ tools: TOOLS }));
		server.setRequestHandler(types.ListPromptsRequestSchema, async () => ({ prompts: [] }));
		// Only the first revision has completions without a capability for them.
		if (!isSince("2025-03-26"))
			server.setRequestHandler(types.CompleteRequestSchema, async () => ({ completion: { values: ["world"] } }));
		const ask: Ask = (method, params) => server.request({ method, params }, anything);
		server.setRequestHandler(types.CallToolRequestSchema, async ({ params }: { params: Json }) =>
			callTool(params, ask),
		);
		return server;
	};
	if (!isHttp) {
		const { StdioServerTransport } = await import(`${name}/server/stdio.js`);
		await make().connect(new StdioServerTransport());
	} else if (older === "2024-11-05") await serveSse(name, make);
	else await serveStreamable(name, make);
}

type Connectable = { connect(transport: unknown): Promise<void> };
type Handle = Parameters<typeof createServer>[1] & object;

async function serveSse(name: string, make: () => Connectable): Promise<void> {
	const { SSEServerTransport } = await import(`${name}/server/sse.js`);
	const open = new Map<string, { handlePostMessage(...exchange: unknown[]): Promise<void> }>();
	listen(async (request, response) => {
		const session = new URL(request.url ?? "", "http://localhost").searchParams.get("sessionId");
		if (request.method === "POST") return open.get(session ?? "")?.handlePostMessage(request, response);
		const transport = new SSEServerTransport("/messages", response);
		open.set(transport.sessionId, transport);
		await make().connect(transport);
	});
}

/** The first releases of this transport have a session for each of its transports. */
async function serveStreamable(name: string, make: () => Connectable): Promise<void> {
	const { StreamableHTTPServerTransport } = await import(`${name}/server/streamableHttp.js`);
	const open = new Map<unknown, { handleRequest(...exchange: unknown[]): Promise<void> }>();
	listen(async (request, response) => {
		// A header of a later revision than the server's is what the specification forbids.
		const named = request.headers["mcp-protocol-version"];
		if (named !== undefined && revision < "2025-06-18") process.stderr.write(`header ${String(named)}\n`);
		const known = open.get(request.headers["mcp-session-id"]);
		if (known !== undefined) return known.handleRequest(request, response);
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: () => crypto.randomUUID(),
			onsessioninitialized: (id: string) => open.set(id, transport),
		});
		await make().connect(transport);
		await transport.handleRequest(request, response);
	});
}

function listen(handle: Handle): void {
	const http = createServer(handle);
	http.listen(0, "127.0.0.1", () => {
		const address = http.address();
		const port = typeof address === "object" ? address?.port : undefined;
		process.stderr.write(`serving MCP at http://127.0.0.1:${port}/mcp\n`);
	});
}
