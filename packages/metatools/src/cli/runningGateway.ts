import { readdirSync, rmSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive, runtimeFolder } from "libmcp/command";
import type { Catalog } from "../catalog/catalog.ts";
import { ToolError } from "../contract/errors.ts";
import { parseExact } from "../contract/exactJson.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import { resolveTool } from "../run/resolveTool.ts";
import type { RunResult, ToolRunner } from "../run/runner.ts";
import type { Gateway } from "../server/gateway.ts";
import { DOOR_SUFFIX, doorPrefix, type SharedCatalogue } from "../transport/localDoor.ts";
import type { CommandLine } from "./flags.ts";

/** A gateway that serves the same configuration file, which a command uses instead of starting servers. */
type RunningGateway = SharedCatalogue & {
	/** Runs its tools; `catalog` is where the command has put them. */
	runner(catalog: () => Catalog): ToolRunner;
};

const FIRST_ANSWER_MS = 3_000;

/** Finds one, unless the command line has settings of its own, which a running gateway does not share. */
export async function findRunningGateway(
	configFile: string | undefined,
	{ settings }: CommandLine,
): Promise<RunningGateway | undefined> {
	if (configFile === undefined || Object.keys(settings).length > 0) return undefined;
	for (const path of doorsOf(configFile)) {
		const found = await readCatalogue(path);
		if (found !== undefined) return { ...found, runner: (catalog) => remoteRunner(path, catalog) };
	}
	return undefined;
}

/** Puts the tools of a running gateway into a catalogue. */
export function fillCatalog(catalog: Catalog, { namespaces }: SharedCatalogue): void {
	for (const { namespace, serverName, description, definitions } of namespaces)
		catalog.set({ namespace, description, definitions, backendOf: () => ({ kind: "mcp", mcp: { serverName } }) });
}

/** The sockets of the gateways that serve this file. What a dead process left is removed. */
function doorsOf(configFile: string): string[] {
	const folder = runtimeFolder();
	const prefix = doorPrefix(configFile);
	const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith(DOOR_SUFFIX));
	return names.flatMap((name) => {
		const path = join(folder, name);
		if (isAlive(Number(name.slice(prefix.length, -DOOR_SUFFIX.length)))) return [path];
		rmSync(path, { force: true });
		return [];
	});
}

/** Undefined when nobody answers there: the gateway is ending, or another process has its number. */
async function readCatalogue(path: string): Promise<SharedCatalogue | undefined> {
	try {
		const { status, body } = await ask(path, "GET", "/catalogue", "", AbortSignal.timeout(FIRST_ANSWER_MS));
		return status === 200 && isCatalogue(body) ? body : undefined;
	} catch {
		// Nobody listens there any more, or not in time.
		return undefined;
	}
}

function isCatalogue(body: unknown): body is SharedCatalogue {
	return isObject(body) && Array.isArray(body.servers) && Array.isArray(body.namespaces);
}

function remoteRunner(path: string, catalog: () => Catalog): ToolRunner {
	return {
		async run({ toolId, args, viewer, signal }): Promise<RunResult> {
			// Says of a wrong id what the command would say of it.
			const tool = resolveTool(catalog(), [], toolId, viewer);
			const { status, body } = await askToRun(path, { toolId, args }, signal);
			if (status !== 200) throw errorFrom(body);
			const { structured, mcpResult, durationMs } = body;
			return {
				tool,
				structured,
				durationMs: Number(durationMs),
				...(isObject(mcpResult) && { mcpResult }),
			};
		},
	};
}

async function askToRun(path: string, asked: JsonObject, signal: AbortSignal): Promise<Answer> {
	try {
		return await ask(path, "POST", "/run", JSON.stringify(asked), signal);
	} catch (thrown) {
		if (signal.aborted) throw new ToolError("cancelled", "The caller cancelled the request.");
		throw new ToolError(
			"execution_failed",
			"The running gateway ended during the call; it may or may not have taken effect.",
			{ retryable: false },
			{ cause: thrown },
		);
	}
}

function errorFrom({ error }: JsonObject): ToolError {
	if (!isObject(error) || typeof error.message !== "string")
		return new ToolError("internal", "The running gateway failed to answer; its log has the cause.");
	const { code, message, ...parts } = error;
	return new ToolError(code as ToolError["object"]["code"], message as string, parts);
}

type Answer = { readonly status: number; readonly body: JsonObject };

function ask(socketPath: string, method: string, path: string, body: string, signal: AbortSignal): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const sent = request({ socketPath, method, path, signal, headers: { "content-type": "application/json" } });
		sent.on("error", reject);
		sent.on("response", (response) => {
			const read = text(response).then((answer) => {
				const value = parseExact(answer);
				return { status: response.statusCode ?? 0, body: isObject(value) ? value : {} };
			});
			read.then(resolve, reject);
		});
		sent.end(body);
	});
}

const POLL_MS = 25;

/** Waits until no server is still connecting, for commands that run once. A server that fails reports why on stderr. */
export async function awaitServers(gateway: Gateway): Promise<void> {
	const deadline = performance.now() + gateway.settings.connectTimeout;
	while (performance.now() < deadline && gateway.upstreams.all.some(({ state }) => state.kind === "connecting"))
		await delay(POLL_MS);
}
