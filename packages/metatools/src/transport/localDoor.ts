import { createHash } from "node:crypto";
import { chmodSync, realpathSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { runtimeFolder } from "libmcp/command";
import type { ToolDefinition } from "../catalog/tool.ts";
import { LOCAL_NAMESPACE } from "../catalog/toolId.ts";
import { toolErrorFrom } from "../contract/errors.ts";
import { parseExact } from "../contract/exactJson.ts";
import { isObject } from "../contract/json.ts";
import { LOCAL_VIEWER } from "../run/access.ts";
import type { Gateway } from "../server/gateway.ts";
import type { UpstreamState } from "../upstream/state.ts";

/** What a running gateway tells commands of its servers and their tools. */
export type SharedCatalogue = {
	readonly servers: readonly { readonly name: string; readonly state: UpstreamState["kind"] }[];
	readonly namespaces: readonly {
		readonly namespace: string;
		readonly serverName: string;
		readonly description: string;
		readonly definitions: readonly ToolDefinition[];
	}[];
};

export type LocalDoor = { close(): void };

/** The beginning of the names of the sockets of the gateways that serve this configuration file. */
export function doorPrefix(configFile: string): string {
	return `gateway-${createHash("sha256").update(realpathSync(configFile)).digest("hex").slice(0, 16)}.`;
}

export const DOOR_SUFFIX = ".door";

/**
 * Opens a socket for commands on this machine, so that they use the running servers instead of starting them again. Only
 * this user can reach it, who may read the configuration and start the servers anyway.
 */
export async function openLocalDoor(gateway: Gateway, configFile: string): Promise<LocalDoor> {
	const path = join(runtimeFolder(), `${doorPrefix(configFile)}${process.pid}${DOOR_SUFFIX}`);
	rmSync(path, { force: true });
	const server = createServer((request, response) => {
		response.on("error", () => {});
		answer(gateway, request, response).catch((thrown: unknown) => {
			if (response.headersSent) response.destroy();
			else sendJson(response, 500, { error: toolErrorFrom(thrown).object });
		});
	});
	await listenAt(server, path);
	server.unref();
	return {
		close() {
			server.close();
			server.closeAllConnections();
			rmSync(path, { force: true });
		},
	};
}

async function listenAt(server: Server, path: string): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		// The folder is 0700, so nobody else can reach the socket even before its own mode is set.
		server.listen(path, resolve);
	});
	chmodSync(path, 0o600);
}

async function answer(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
	switch (`${request.method} ${request.url}`) {
		case "GET /catalogue":
			return sendJson(response, 200, catalogueOf(gateway));
		case "POST /run":
			return runTool(gateway, request, response);
		default:
			return sendJson(response, 404, {});
	}
}

function catalogueOf({ catalog, upstreams }: Gateway): SharedCatalogue {
	return {
		servers: upstreams.all.map(({ spec, state }) => ({ name: spec.name, state: state.kind })),
		namespaces: catalog.namespaces
			.filter((namespace) => namespace !== LOCAL_NAMESPACE)
			.map((namespace) => {
				const tools = catalog.toolsOf(namespace);
				const backend = tools[0]?.backend;
				return {
					namespace,
					serverName: backend?.kind === "mcp" ? backend.mcp.serverName : namespace,
					description: catalog.descriptionOf(namespace),
					definitions: tools.map(({ definition }) => definition),
				};
			}),
	};
}

async function runTool(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const asked = parseExact(await text(request));
	const { toolId, args } = isObject(asked) ? asked : {};
	if (typeof toolId !== "string" || !isObject(args)) return sendJson(response, 400, {});
	const left = new AbortController();
	response.once("close", () => left.abort());
	const viewer = gateway.confine(LOCAL_VIEWER);
	const { structured, mcpResult, durationMs } = await gateway.runner.run({ toolId, args, viewer, signal: left.signal });
	sendJson(response, 200, { structured, ...(mcpResult !== undefined && { mcpResult }), durationMs });
}

function sendJson(response: ServerResponse, status: number, value: object): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
