import type { JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/client";
import { type Host, hostedTransport } from "libmcp";
import { parseExact } from "../contract/exactJson.ts";
import { createChildEnvironment } from "./childEnvironment.ts";
import { DeepList } from "./connect/checkAnswers.ts";
import { createLimitedFetch } from "./limitedFetch.ts";
import type { UpstreamProvider } from "./login/upstreamProvider.ts";
import { createLineMasker } from "./secrets/maskSecrets.ts";
import { computeHostDeadlineMs, type HttpSpec, type ReachableSpec, type StdioSpec } from "./spec.ts";
import { HttpAuth } from "./streamable/httpAuth.ts";
import { openSseTransport } from "./streamable/sseTransport.ts";
import { StreamableTransport } from "./streamable/streamableTransport.ts";

export type TransportEvents = {
	/** The connection is unusable: it must be closed and reopened. */
	onFatal(error: Error): void;
	/** Called with a line on stderr, which has no secrets any more. */
	onStderr(line: string): void;
	/** Called with a line on stdout that is not a message, likewise without secrets. */
	onStray?(line: string): void;
};

/** Makes the pipe to a server. Replaceable, so that others can bring their own (OAuth, recording, in-memory). */
export type OpenTransport = (spec: ReachableSpec, events: TransportEvents) => Promise<OpenedTransport>;

export type OpenedTransport = {
	readonly transport: Transport;
	/** The host in front of a stdio server, once the transport has started. */
	readonly host?: () => Host | undefined;
	/** The request that the server was answering when it asked this, if the transport knows. */
	readonly askedDuring?: (question: string | number) => JSONRPCRequest | undefined;
	/** Present if the pipe refuses deeply nested messages. */
	readonly deepList?: Pick<DeepList, "read">;
};

const MAX_MESSAGE_BYTES = 16_000_000;
const MOST_STRAY_BYTES = 2_000;

/** Credentials for a server that requires them. */
export type HttpAuthorization = {
	readonly authProvider?: UpstreamProvider;
	readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
};

export const openTransport: OpenTransport = createOpenTransport(() => ({}));

export function createOpenTransport(authorize: (spec: HttpSpec) => HttpAuthorization): OpenTransport {
	return (spec, events) => (spec.kind === "stdio" ? openStdio(spec, events) : openHttp(spec, events, authorize(spec)));
}

// Under a host the server may crash or be upgraded without the connection noticing.
async function openStdio(spec: StdioSpec, events: TransportEvents): Promise<OpenedTransport> {
	const deepList = new DeepList();
	const maskStray = createLineMasker(spec);
	const transport = hostedTransport<JSONRPCMessage>({
		name: spec.name,
		command: spec.command,
		args: spec.args,
		env: createChildEnvironment(process.env, spec.env),
		...(spec.cwd !== undefined && { cwd: spec.cwd }),
		deadlines: { hardMs: computeHostDeadlineMs(spec) },
		opsTools: false,
		maxFrameBytes: MAX_MESSAGE_BYTES,
		parse: parseExact,
		maskStderr: createLineMasker(spec),
		onWorkerStderr: events.onStderr,
		onWorkerGarbage(line) {
			deepList.saw(line);
			// Cut only when it is masked: half of a secret would not be known for one.
			events.onStray?.(maskStray(line.toString("utf8", 0, 2 * MOST_STRAY_BYTES)).slice(0, MOST_STRAY_BYTES));
		},
	});
	return { transport, host: () => transport.host, deepList };
}

async function openHttp(
	spec: HttpSpec,
	events: TransportEvents,
	{ authProvider, fetch }: HttpAuthorization,
): Promise<OpenedTransport> {
	const url = new URL(spec.url);
	const limited = createLimitedFetch(MAX_MESSAGE_BYTES, events.onFatal, fetch);
	const auth = authProvider === undefined ? undefined : new HttpAuth(url, authProvider, limited);
	if (spec.kind === "sse")
		return { transport: await openSseTransport(url, { headers: spec.headers, fetch: limited, auth }) };
	const transport = new StreamableTransport({
		url,
		headers: spec.headers,
		maxBytes: MAX_MESSAGE_BYTES,
		onFatal: events.onFatal,
		auth,
	});
	return { transport, askedDuring: (question) => transport.askedDuring(question) };
}
