import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import type { CallEnd, CallKind, History } from "./history.ts";

/** A session of the official SDK's client, which notes in the history what it is told. */
export type ChaosClient = {
	call(id: string, kind: CallKind, ms: number): Promise<CallEnd>;
	close(): Promise<void>;
};

/** As a patient client has it: it comes back however long the gateway is away. */
const RECONNECTION = {
	initialReconnectionDelay: 200,
	maxReconnectionDelay: 1_000,
	reconnectionDelayGrowFactor: 1.3,
	maxRetries: 10_000,
};

/** Connects over `/mcp`, where `run_tool` runs the tools, or over the server's own path, where they have their own names. */
export async function chaosClient(
	address: string,
	session: string,
	path: "/mcp" | "/mcp/effects",
	{ history, patienceMs }: { readonly history: History; readonly patienceMs: number },
): Promise<ChaosClient> {
	const client = new Client({ name: "chaos", version: "1.0.0" });
	const transport = new StreamableHTTPClientTransport(new URL(`${address}${path}`), {
		reconnectionOptions: RECONNECTION,
		fetch: async (url, init) => watched(await fetch(url, init), session, history),
	});
	// The SDK's own types disagree about a property that may be undefined.
	await client.connect(transport as Parameters<typeof client.connect>[0]);
	return {
		async call(id, kind, ms) {
			history.note({ what: "begin", call: id, session, kind });
			const args = { id, ms };
			const sent =
				path === "/mcp"
					? { name: "run_tool", arguments: { tool_id: `effects:${kind}`, args } }
					: { name: kind, arguments: args };
			let isAcknowledged = false;
			const onresumptiontoken = (): void => {
				if (!isAcknowledged) history.note({ what: "acknowledged", call: id });
				isAcknowledged = true;
			};
			const { end, detail } = await client
				.callTool(sent, undefined, { timeout: patienceMs, onresumptiontoken })
				.then(outcomeOf, failureOf);
			if (detail !== undefined && /\b40[04]\b.*session|SESSION_NOT_FOUND|SESSION_REQUIRED/i.test(detail))
				history.note({ what: "session-lost", session, detail });
			// That no answer came is what the checker is to find.
			if (!/Request timed out/.test(detail ?? ""))
				history.note({ what: "end", call: id, end, ...(detail !== undefined && { detail }) });
			return end;
		},
		close: () => client.close(),
	};
}

type Outcome = { readonly end: CallEnd; readonly detail?: string };
const IN_DOUBT = /ambiguous_outcome|outcome_unknown|may or may not have taken effect/;

function outcomeOf(result: unknown): Outcome {
	const text = JSON.stringify(result);
	if (Object(result).isError !== true) return { end: "answered" };
	return { end: IN_DOUBT.test(text) ? "ambiguous" : "refused", detail: text.slice(0, 400) };
}

function failureOf(error: unknown): Outcome {
	const detail = `${String(error)} ${error instanceof McpError ? JSON.stringify(error.data) : ""}`.slice(0, 500);
	if (IN_DOUBT.test(detail)) return { end: "ambiguous", detail };
	if (/replay_exhausted/.test(detail)) return { end: "exhausted", detail };
	return { end: error instanceof McpError ? "refused" : "unreachable", detail };
}

/** The same response; the ids of the messages in it are noted as they come. */
function watched(response: Response, session: string, history: History): Response {
	if (response.body === null || response.headers.get("content-type") !== "text/event-stream") return response;
	let rest = "";
	const decoder = new TextDecoder();
	const watch = new TransformStream<Uint8Array, Uint8Array>({
		transform(chunk, controller) {
			controller.enqueue(chunk);
			const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
			rest = blocks.pop() ?? "";
			for (const block of blocks) {
				const [, stream, number] = /^id: (\d+)-(\d+)$/m.exec(block) ?? [];
				if (stream !== undefined && /^data: ./m.test(block))
					history.note({ what: "event", session, stream, number: Number(number) });
			}
		},
	});
	const { status, statusText, headers } = response;
	return new Response(response.body.pipeThrough(watch), { status, statusText, headers });
}
