import {
	contractOf,
	type Dispatcher,
	effectOfMethod,
	type Principal,
	type ReplayContract,
	RPC_CODES,
	type RpcContext,
	RpcError,
	type ServerDescription,
} from "libmcp";
import { type KeepingOptions, McpEndpoint } from "libmcp/http";
import type { ToolDefinition } from "../catalog/tool.ts";
import { parseExact } from "../contract/exactJson.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import { ALLOW, HIDE, type Verdict } from "../run/access.ts";
import type { ReachableSpec } from "../upstream/spec.ts";
import type { OpenTransport } from "../upstream/transport.ts";
import { Bridge, OUTLASTING } from "./bridge.ts";
import { CallersTasks } from "./callersTasks.ts";
import { CallInDoubt, ForgottenSession } from "./links/connectionFailure.ts";
import { type DoorOptions, MOST_LINKS, UpstreamDoor } from "./links/upstreamDoor.ts";

export type PassthroughOptions = {
	readonly spec: ReachableSpec;
	readonly open: OpenTransport;
	/** What this caller gets of each listed tool. Default: its own definition. */
	readonly offered?: (tools: readonly ToolDefinition[], principal: Principal | undefined) => readonly Offered[];
	/** Whether this caller may run the tool; undefined if that depends on its definition. Default: everyone may. */
	readonly runnable?: (tool: string, principal: Principal | undefined) => Verdict | undefined;
	/** What is told in place of what the server says about the use of its tools. Default: that. */
	readonly instructions?: (said: string) => string | undefined;
	/** Whether nothing of the server is hidden from this caller. Default: nothing is, from anyone. */
	readonly seesAll?: (principal: Principal | undefined) => boolean;
	/** Whether this call can be made again without harm, as its tool declares. Default: none can. */
	readonly repeatable?: (tool: string, args: JsonObject) => boolean;
	readonly sessionIdleMs?: number;
	readonly maxSessions?: number;
	readonly stateless?: boolean;
	readonly jsonResponses?: boolean;
	/** Keeps sessions and their calls beyond this process. */
	readonly keeping?: Pick<KeepingOptions, "store" | "scope" | "fence" | "writer">;
} & DoorOptions;

/** A tool as a caller gets it, or why not. */
export type Offered =
	| { readonly kind: "allow"; readonly definition: ToolDefinition }
	| Exclude<Verdict, { readonly kind: "allow" }>;

export type Passthrough = { readonly endpoint: McpEndpoint; close(): Promise<void> };

/** Rules speak of tools, so whoever may not use all of them is offered nothing else of the server. */
const OF_TOOLS = /^(tools|tasks|logging)\//;
const MOST_URI_CHARS = 8_192;
/** Connections kept free for clients without a session. */
const SPARE_LINKS = 8;

/** What the owner of a passthrough decides, with its defaults. */
type Rules = Required<Pick<PassthroughOptions, "offered" | "runnable" | "instructions" | "seesAll" | "repeatable">>;

const OPEN_TO_ALL: Rules = {
	offered: (tools) => tools.map((definition) => ({ kind: "allow", definition })),
	runnable: () => ALLOW,
	instructions: (said) => said,
	seesAll: () => true,
	repeatable: () => false,
};

/** One server under its own names on one path, for clients of either era, whichever era it speaks itself. */
export function createPassthrough(options: PassthroughOptions): Passthrough {
	const { spec, open, serving, login, onHost, ...others } = options;
	const { keeping, sessionIdleMs, maxSessions, stateless, jsonResponses, ...given } = others;
	const rules: Rules = { ...OPEN_TO_ALL, ...given };
	const doorOptions = { ...(serving && { serving }), ...(login && { login }), ...(onHost && { onHost }) };
	const door = new UpstreamDoor(spec, open, doorOptions);
	const bridge = new Bridge(spec, door, (method, params) => endpoint.notifyModern(method, params));
	// Each session has its own connection to the server; an idle session makes room for the next.
	const mostSessions = maxSessions ?? (spec.protocol === "modern" ? undefined : MOST_LINKS - SPARE_LINKS);
	const endpoint: McpEndpoint = new McpEndpoint({
		dispatcher: createDispatcher(bridge, rules),
		parse: parseExact,
		description: (about) => bridge.describe(about),
		toldTo: (description, principal) => describeTo(description, principal, rules),
		onNotification: (method, params, session) => {
			if (session !== undefined) bridge.notify(method, params, session);
		},
		toolSchema: (tool) => bridge.schemaOf(tool),
		onWatch: (uris) => bridge.watch(uris),
		...(mostSessions !== undefined && { maxSessions: mostSessions }),
		...(keeping !== undefined && {
			keeping: { ...keeping, handlersTell: true, onRestored: (session) => bridge.resume(session) },
		}),
		...(sessionIdleMs !== undefined && { sessionIdleMs }),
		...(stateless !== undefined && { stateless }),
		...(jsonResponses !== undefined && { jsonResponses }),
	});
	return {
		endpoint,
		close: async () => {
			bridge.end();
			await door.close();
		},
	};
}

/** Lets through what the rules allow this caller. */
function createDispatcher(bridge: Bridge, rules: Rules): Dispatcher {
	const tasks = new CallersTasks();
	return async (method, given, context) => {
		const params = isObject(given) ? given : {};
		const { principal } = context;
		checkMethod(method, params, context, rules);
		tasks.check(method, params, principal);
		const pass = async (): Promise<unknown> => {
			if (method === "tools/call") throwIfClosed(params.name, await decideOn(params.name, context, bridge, rules));
			return bridge.pass(method, params, context, contractFor(method, params, rules));
		};
		try {
			// If the server had forgotten the session, the request never ran: send it again on a new connection.
			const passed = await pass().catch((thrown) =>
				thrown instanceof ForgottenSession ? pass() : Promise.reject(thrown),
			);
			const result = tasks.answer(method, passed, principal);
			return method === "tools/list" ? withTools(result, (tools) => rules.offered(tools, principal)) : result;
		} catch (thrown) {
			throw removeNeedlessDoubt(thrown, params, rules);
		}
	};
}

function checkMethod(method: string, params: JsonObject, context: RpcContext, { seesAll }: Rules): void {
	if (!OF_TOOLS.test(method) && !seesAll(context.principal)) throw closedMethod(method);
	if (context.era === "legacy" && context.session === undefined && OUTLASTING.has(method)) throw unknownMethod(method);
	if (method === "resources/subscribe") checkUri(params.uri);
}

async function decideOn(
	name: unknown,
	context: RpcContext,
	bridge: Bridge,
	{ runnable, offered }: Rules,
): Promise<Verdict> {
	if (typeof name !== "string") return HIDE;
	const known = runnable(name, context.principal);
	if (known !== undefined) return known;
	// The server may offer this tool to this client only.
	const tool = (await bridge.listTools(context)).find((listed) => listed.name === name);
	return offered(tool === undefined ? [] : [tool], context.principal)[0] ?? HIDE;
}

/** What may be done with a request if the gateway is lost during it. */
function contractFor(method: string, { name, arguments: args }: JsonObject, { repeatable }: Rules): ReplayContract {
	if (method !== "tools/call") return contractOf(effectOfMethod(method).recovery, () => undefined);
	return repeatable(String(name), isObject(args) ? args : {}) ? "convergent" : "never_replay";
}

function removeNeedlessDoubt(thrown: unknown, { name, arguments: args }: JsonObject, { repeatable }: Rules): unknown {
	const isHarmless = thrown instanceof CallInDoubt && repeatable(String(name), isObject(args) ? args : {});
	return isHarmless ? thrown.ifRepeatable : thrown;
}

function describeTo(
	description: ServerDescription,
	principal: Principal | undefined,
	{ seesAll, instructions }: Rules,
): ServerDescription {
	const { instructions: said, ...others } = seesAll(principal) ? description : withToolsOnly(description);
	const told = said === undefined ? undefined : instructions(said);
	return told === undefined ? others : { ...others, instructions: told };
}

function throwIfClosed(tool: unknown, verdict: Verdict): void {
	if (verdict.kind === "refuse") throw new RpcError(RPC_CODES.invalidParams, verdict.reason, { code: "TOOL_HELD" });
	if (verdict.kind === "hide")
		throw new RpcError(RPC_CODES.invalidParams, `Unknown tool: ${String(tool).slice(0, 128)}`, {
			code: "UNKNOWN_TOOL",
		});
}

function closedMethod(method: string): RpcError {
	return new RpcError(
		RPC_CODES.methodNotFound,
		`${method.slice(0, 64)}: only for callers from whom no tool of this server is hidden`,
		{ code: "METHOD_NOT_FOUND" },
	);
}

function withToolsOnly({ capabilities, ...said }: ServerDescription): ServerDescription {
	const { resources: _, prompts: __, completions: ___, ...others } = capabilities;
	return { ...said, capabilities: others };
}

/** What a request sets for later ones needs a session; without one it would be set for every client. */
function unknownMethod(method: string): RpcError {
	return new RpcError(RPC_CODES.methodNotFound, `${method}: needs a session, and none are kept here`, {
		code: "METHOD_NOT_FOUND",
	});
}

/** Limits the stored URI: it is kept as long as the session, and the client chooses it. */
function checkUri(uri: unknown): void {
	if (typeof uri === "string" && uri.length > MOST_URI_CHARS)
		throw new RpcError(
			RPC_CODES.invalidParams,
			`uri: expected at most ${MOST_URI_CHARS} characters, got ${uri.length}`,
		);
}

function withTools(result: unknown, offered: (tools: readonly ToolDefinition[]) => readonly Offered[]): unknown {
	if (!isObject(result) || !Array.isArray(result.tools)) return result;
	const tools = offered(result.tools.filter(isDefinition));
	return { ...result, tools: tools.flatMap((tool) => (tool.kind === "allow" ? tool.definition : [])) };
}

function isDefinition(tool: unknown): tool is ToolDefinition {
	return isObject(tool) && typeof tool.name === "string";
}
