import { isHosted } from "../environment.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Outlet } from "./outlet.ts";
import { isRecord } from "./protocol.ts";
import { RpcServer, type RpcServerOptions } from "./rpcServer.ts";
import { RpcSession } from "./rpcSession.ts";
import type { DescribeServer, ServerDescription } from "./serverDescription.ts";
import { type ChannelOptions, stdioChannel } from "./stdioChannel.ts";

/** How a server on stdin and stdout describes itself and ends. */
export type StdioOptions = Omit<RpcServerOptions, "dispatcher"> &
	ChannelOptions & {
		/** Value of `capabilities.tools.listChanged`; by default true under a host, which delivers the notifications, else false. */
		readonly listChanged?: boolean;
	};

/** Sends messages to the client outside any of its requests. */
export type StdioServer = {
	notify(method: string, params?: Record<string, unknown>): void;
	/** Asks a client that has shaken hands. */
	request(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
	close(): Promise<void>;
	/** Resolves when the conversation is over and every answer is written. */
	readonly closed: Promise<void>;
};

/** Serves one client on standard input and output, in either era, until it closes its end. */
export function serveStdio(dispatcher: Dispatcher, options: StdioOptions): StdioServer {
	const { line, listen } = stdioChannel(options);
	const outlet: Outlet = { emit: line, finish: (answer) => answer !== undefined && line(answer.text) };
	const listChanged = options.listChanged ?? isHosted();
	const server = new RpcServer({
		...options,
		dispatcher,
		description: withListChanged(options.description, listChanged),
	});
	const session = new RpcSession(server, { id: "stdio", outlet });
	const { close, closed } = listen({
		receive: (frame) => session.receive(scanEnvelope(frame), frame, outlet),
		async end(drainMs) {
			await session.drain(drainMs);
			session.end("the server is closing");
		},
	});
	return {
		notify: (method, params) => session.notify(method, params),
		request: (method, params, signal) => session.request(method, params, signal),
		close,
		closed,
	};
}

function withListChanged(
	description: ServerDescription | DescribeServer,
	listChanged: boolean,
): ServerDescription | DescribeServer {
	const adapt = (plain: ServerDescription): ServerDescription => {
		const { tools } = plain.capabilities;
		if (!isRecord(tools)) return plain;
		return { ...plain, capabilities: { ...plain.capabilities, tools: { ...tools, listChanged } } };
	};
	if (typeof description !== "function") return adapt(description);
	return async (about) => adapt(await description(about));
}
