// One client of the official SDK for each revision: the releases that spoke it when it was the newest.

import { type Json, RELEASES, type Revision } from "./releases.ts";

/** How a client reaches a server. */
export type Reach = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

/** What all these clients can do, in the words of each of them. */
export type SdkClient = {
	listTools(): Promise<{ tools: Json[] }>;
	callTool(params: Json, schema?: unknown, options?: unknown): Promise<Json>;
	listPrompts(): Promise<{ prompts: Json[] }>;
	getPrompt(params: Json): Promise<Json>;
	listResources(): Promise<{ resources: Json[] }>;
	readResource(params: Json): Promise<Json>;
	complete(params: Json): Promise<Json>;
	getServerCapabilities(): Json | undefined;
	getServerVersion(): Json | undefined;
	close(): Promise<void>;
};

export type Connected = {
	readonly client: SdkClient;
	/** The revision that the server answered with. */
	readonly revision: string | undefined;
	/** Every message that the client got, as it came. */
	readonly got: Json[];
	/** The `params` of the questions that the client was asked. */
	readonly asked: Json[];
};

type Transport = { onmessage?: (message: object, extra?: unknown) => void };

const ME = { name: "witness", version: "1.0.0" };

/** Connects the client of this revision, which answers every question that the revision has. */
export async function connect(revision: Revision, reach: Reach): Promise<Connected> {
	const got: Json[] = [];
	const asked: Json[] = [];
	const answers = { sampling: sampled(asked), elicitation: filledIn(asked) };
	if (revision === "2026-07-28") {
		const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
		const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
		const client = new Client(ME, {
			capabilities: { sampling: {}, elicitation: { form: {} } },
			versionNegotiation: { mode: { pin: revision } },
		});
		client.setRequestHandler("sampling/createMessage", answers.sampling as never);
		client.setRequestHandler("elicitation/create", answers.elicitation as never);
		const transport =
			"url" in reach
				? new StreamableHTTPClientTransport(new URL(reach.url))
				: new StdioClientTransport({ command: reach.command, args: [...reach.args], stderr: "ignore" });
		recordAll(transport as Transport, got);
		await client.connect(transport);
		return { client: client as unknown as SdkClient, revision: client.getNegotiatedProtocolVersion(), got, asked };
	}
	const { name, http } = RELEASES[revision];
	const { Client } = await import(`${name}/client/index.js`);
	const types = await import(`${name}/types.js`);
	const hasForms = "ElicitRequestSchema" in types;
	const client = new Client(ME, { capabilities: { sampling: {}, ...(hasForms && { elicitation: {} }) } });
	client.setRequestHandler(types.CreateMessageRequestSchema, answers.sampling);
	if (hasForms) client.setRequestHandler(types.ElicitRequestSchema, answers.elicitation);
	const transport = await transportOf(name, http, reach);
	recordAll(transport, got);
	await client.connect(transport);
	const handshake = got
		.map(({ result }) => (result as Json | undefined)?.protocolVersion)
		.find((said) => said !== undefined);
	return { client, revision: handshake === undefined ? undefined : String(handshake), got, asked };
}

async function transportOf(
	name: string,
	http: (typeof RELEASES)["2024-11-05"]["http"],
	reach: Reach,
): Promise<Transport> {
	if ("url" in reach) {
		const module = await import(`${name}/client/${http.file}`);
		return new module[http.name](new URL(reach.url));
	}
	const { StdioClientTransport } = await import(`${name}/client/stdio.js`);
	return new StdioClientTransport({ command: reach.command, args: reach.args, stderr: "ignore" });
}

/** Keeps what the transport delivers, to whomever, before the client reads it and perhaps drops parts of it. */
function recordAll(transport: Transport, got: Json[]): void {
	const seen = new WeakSet<object>();
	let deliver = transport.onmessage;
	Object.defineProperty(transport, "onmessage", {
		get: () => deliver,
		// A client may set its handler around the one before.
		set: (handler: Transport["onmessage"]) => {
			deliver = (message, extra) => {
				if (!seen.has(message)) got.push(structuredClone(message) as Json);
				seen.add(message);
				handler?.(message, extra);
			};
		},
	});
}

function sampled(asked: Json[]): (request: { params: Json }) => Promise<Json> {
	return async ({ params }) => {
		asked.push(params);
		return { model: "m", role: "assistant", content: { type: "text", text: "fine" } };
	};
}

function filledIn(asked: Json[]): (request: { params: Json }) => Promise<Json> {
	return async ({ params }) => {
		asked.push(params);
		return { action: "accept", content: { colour: "blue", size: 4 } };
	};
}
