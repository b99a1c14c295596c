import { isHosted } from "../../environment.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import type { Outlet } from "../protocol/outlet.ts";
import { isRecord } from "../protocol/protocol.ts";
import type { DescribeServer, ServerDescription } from "../protocol/serverDescription.ts";
import { RpcServer, type RpcServerOptions } from "../session/rpcServer.ts";
import { RpcSession } from "../session/rpcSession.ts";
import { type ChannelOptions, stdioChannel } from "./stdioChannel.ts";

/** The options of `serveStdio`: what answers, how the server describes itself and how it ends. An `McpServer` fits. */
export type StdioOptions = RpcServerOptions &
	ChannelOptions & {
		/** Value of `capabilities.tools.listChanged`; by default true under a host, which sends them, else as described. */
		readonly listChanged?: boolean;
	};

/** Sends messages to the client outside any of its requests. */
export type StdioServer = {
	notify(method: string, params?: Record<string, unknown>): void;
	/** Sends a request to a client that has made a handshake. */
	request(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
	close(): Promise<void>;
	/** Resolves when the connection is over and every answer is written. */
	readonly closed: Promise<void>;
};

const CLOSING = "the server is closing";

/** Serves one client on standard input and output, in either era, until it closes its end. */
export function serveStdio(options: StdioOptions): StdioServer {
	const { line, listen } = stdioChannel(options);
	const outlet: Outlet = { emit: line, finish: (answer) => answer !== undefined && line(answer.text) };
	const server = new RpcServer({
		...options,
		description: withListChanged(options.description, options.listChanged),
	});
	const session = new RpcSession(server, { id: "stdio", outlet });
	const { close, closed } = listen({
		receive: (frame) => session.receive(scanEnvelope(frame), frame, outlet),
		async end(isOver) {
			await session.drain(isOver);
			// A host answers the calls of a worker that ends, or repeats them.
			if (isHosted()) session.end(CLOSING);
			else session.giveUp(CLOSING);
		},
	});
	return {
		notify: (method, params) => session.notify(method, params),
		request: (method, params, signal) => session.request(method, params, signal),
		close,
		closed,
	};
}

/** Whether the server declares that its tool list may change. */
export function announcesTools({ listChanged }: Record<string, unknown>, option: boolean | undefined): boolean {
	return option ?? (isHosted() || listChanged === true);
}

function withListChanged(
	description: ServerDescription | DescribeServer,
	option: boolean | undefined,
): ServerDescription | DescribeServer {
	const adapt = (plain: ServerDescription): ServerDescription => {
		const { tools } = plain.capabilities;
		if (!isRecord(tools)) return plain;
		const listChanged = announcesTools(tools, option);
		return { ...plain, capabilities: { ...plain.capabilities, tools: { ...tools, listChanged } } };
	};
	if (typeof description !== "function") return adapt(description);
	return async (about) => adapt(await description(about));
}
