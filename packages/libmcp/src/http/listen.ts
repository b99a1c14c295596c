import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { HttpEndpoint } from "./endpoint.ts";
import type { Front } from "./front.ts";
import { serveFront } from "./serveFront.ts";
import { readTls, type TlsFiles, watchTls } from "./tlsFiles.ts";

export type ListenOptions = {
	readonly host?: string;
	/** 0, the default, lets the system choose a port. */
	readonly port?: number;
	readonly tls?: TlsFiles;
	/** Called when a changed certificate cannot be used; the old one stays active. */
	readonly onTlsProblem?: (problem: string) => void;
};

export type HttpListener = {
	readonly address: string;
	readonly port: number;
	/** Refuses new requests, gives calls in flight `drainMs` to finish, and closes every connection. */
	close(endpoints: Iterable<HttpEndpoint>, drainMs?: number): Promise<void>;
};

/** How long `close` waits for running calls to answer. */
export const SHUTDOWN_MS = 5_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node checks the two timeouts above; slow senders can hold a connection this much longer. */
const CHECKING_MS = 2_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** Rejects when the address is not available or the certificate cannot be read. */
export async function listen(front: Front, options: ListenOptions = {}): Promise<HttpListener> {
	const limits = {
		maxHeaderSize: MAX_HEADER_BYTES,
		headersTimeout: HEADERS_TIMEOUT_MS,
		requestTimeout: REQUEST_TIMEOUT_MS,
		connectionsCheckingInterval: CHECKING_MS,
		keepAliveTimeout: KEEP_ALIVE_MS,
		noDelay: true,
		// `serveFront` refuses a request without a Host header.
		requireHostHeader: false,
	};
	const { tls, host = "127.0.0.1" } = options;
	const secure = tls && createTlsServer({ ...limits, ...readTls(tls) });
	const server: Server = secure ?? createServer(limits);
	serveFront(server, front);
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(options.port ?? 0, host, () => {
			server.off("error", reject);
			resolve();
		});
	});
	const stopWatching = tls && watchTls(tls, (context) => secure?.setSecureContext(context), options.onTlsProblem);
	const { port } = server.address() as AddressInfo;
	return {
		port,
		address: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
		close: async (endpoints, drainMs = SHUTDOWN_MS) => {
			front.refuseNew();
			stopWatching?.();
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeIdleConnections();
			await Promise.all([...endpoints].map((endpoint) => endpoint.close(drainMs)));
			// Gives the last answers time to be sent; connections still open after that carry no call.
			setTimeout(() => server.closeAllConnections(), LINGER_MS).unref();
			server.closeIdleConnections();
			await closed;
		},
	};
}

const LINGER_MS = 250;
