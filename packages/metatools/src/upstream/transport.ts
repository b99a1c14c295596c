import type { Transport } from "@modelcontextprotocol/client";
import { limitedFetch } from "./limitedFetch.ts";
import type { HttpSpec, StdioSpec, UpstreamSpec } from "./spec.ts";

export type TransportEvents = {
	/** The connection cannot go on: it is to be closed and made anew. */
	onFatal(error: Error): void;
	onStderr(line: string): void;
};

/** Makes the pipe to a server. Replaceable, so that others can bring their own (OAuth, recording, in-memory). */
export type OpenTransport = (spec: UpstreamSpec, events: TransportEvents) => Promise<Transport>;

export const MAX_MESSAGE_BYTES = 16_000_000;

export const openTransport: OpenTransport = (spec, events) =>
	spec.kind === "stdio" ? openStdio(spec, events) : openHttp(spec, events);

async function openStdio(spec: StdioSpec, events: TransportEvents): Promise<Transport> {
	const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
	const transport = new StdioClientTransport({
		command: spec.command,
		args: [...spec.args],
		env: { ...spec.env },
		...(spec.cwd !== undefined && { cwd: spec.cwd }),
		stderr: "pipe",
		maxBufferSize: MAX_MESSAGE_BYTES,
	});
	transport.stderr?.on("data", (chunk: Buffer) => {
		for (const line of chunk.toString().split("\n")) if (line.trim() !== "") events.onStderr(line);
	});
	return transport;
}

async function openHttp(spec: HttpSpec, events: TransportEvents): Promise<Transport> {
	const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
	const options = {
		requestInit: { headers: { ...spec.headers } },
		fetch: limitedFetch(MAX_MESSAGE_BYTES, events.onFatal),
	};
	const url = new URL(spec.url);
	return spec.kind === "sse" ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
}
