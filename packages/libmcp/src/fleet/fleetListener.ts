import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import type { HttpEndpoint } from "../http/front/front.ts";
import { pathOf } from "../http/front/front.ts";
import { readBody } from "../http/front/readBody.ts";
import { HttpRefusal, refuse } from "../http/front/refusal.ts";
import { readHeader } from "../http/modernHeaders.ts";
import type { World } from "../world/world.ts";
import { hashBody, type Passed, readPassed } from "./fleetKey.ts";

/** Finds what serves a path. */
export type Routes = (path: string) => HttpEndpoint | undefined;

export type FleetListener = {
	/** Where other nodes reach it. */
	readonly address: string;
	close(): Promise<void>;
};

type Listening = {
	readonly key: string;
	readonly world: World;
	readonly host: string;
	readonly port: number;
	/** The id of this node now. */
	readonly id: () => string | undefined;
	readonly routes: Routes;
	readonly onUnexpected: (error: unknown) => void;
};

const KEEP_ALIVE_MS = 65_000;
/** What a client sends, and who it is, signed. */
const MAX_HEADER_BYTES = 64 * 1024;
const passedOn = new WeakSet<IncomingMessage>();

/** Whether another node has sent it here. */
export function isPassedOn(request: IncomingMessage): boolean {
	return passedOn.has(request);
}

/** Listens for the other nodes. Only what one of them has signed is answered. */
export async function listenToFleet(options: Listening): Promise<FleetListener> {
	const server = createServer(
		{ keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true, maxHeaderSize: MAX_HEADER_BYTES },
		(request, response) => {
			response.on("error", () => {});
			answer(request, response, options).catch((error: unknown) => {
				if (!(error instanceof HttpRefusal)) options.onUnexpected(error);
				refuse(
					response,
					error instanceof HttpRefusal ? error : new HttpRefusal("INTERNAL", "the node failed to answer"),
				);
			});
		},
	);
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(options.port, options.host, () => {
			server.off("error", reject);
			resolve();
		});
	});
	server.unref();
	const { port } = server.address() as AddressInfo;
	const host = reachableHost(options.host);
	return {
		address: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
		close: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}

async function answer(request: IncomingMessage, response: ServerResponse, options: Listening): Promise<void> {
	const passed = readPassed(options.key, request.headers, options.world.now());
	if (passed === undefined || !isOf(passed, request))
		throw new HttpRefusal("UNAUTHORIZED", "expected the signature of a node of this fleet");
	if (passed.target !== options.id()) throw new HttpRefusal("MISDIRECTED", "this is another node");
	if (request.method === "HEAD") {
		response.writeHead(204).end();
		return;
	}
	if (request.method === "POST" && hashBody(await readBody(request)) !== passed.bodyHash)
		throw new HttpRefusal("UNAUTHORIZED", "expected the body that was signed");
	const endpoint = options.routes(pathOf(request));
	if (endpoint === undefined) throw new HttpRefusal("NOT_FOUND", "there is nothing here");
	passedOn.add(request);
	await endpoint.handle(request, response, passed.principal);
}

/** Whether the signature is for this very request. */
function isOf({ method, url, session }: Passed, request: IncomingMessage): boolean {
	const named = readHeader(request.headers, "mcp-session-id") ?? "";
	return method === request.method && url === request.url && session === named;
}

/** An address for one that stands for every address of this machine. */
function reachableHost(host: string): string {
	if (host !== "0.0.0.0" && host !== "::" && host !== "") return host;
	const addresses = Object.values(networkInterfaces()).flatMap((known) => known ?? []);
	return addresses.find(({ internal, family }) => !internal && family === "IPv4")?.address ?? "127.0.0.1";
}
