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
	type Session,
} from "libmcp";
import { type KeepingOptions, McpEndpoint, paramHeaders, paramHeaderValues } from "libmcp/http";
import type { ToolDefinition } from "../catalog/tool.ts";
import { parseExact } from "../contract/exactJson.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import { ALLOW, HIDE, type Verdict } from "../run/access.ts";
import type { ReachableSpec } from "../upstream/spec.ts";
import type { OpenTransport } from "../upstream/transport.ts";
import { CallersTasks } from "./callersTasks.ts";
import { callWithQuestions, canBeAsked } from "./links/askClient.ts";
import { AskingLinks } from "./links/askingLinks.ts";
import { addClaim, createClaim, readLogLevel, removeClaim, toLegacyResult } from "./links/claim.ts";
import { CallInDoubt, ForgottenSession } from "./links/connectionFailure.ts";
import type { Link } from "./links/link.ts";
import { SessionLinks } from "./links/sessionLinks.ts";
import { SharedLink } from "./links/sharedLink.ts";
import { type DoorOptions, MOST_LINKS, UpstreamDoor } from "./links/upstreamDoor.ts";
import { SessionPreferences } from "./sessionPreferences.ts";
import { readDefinitions, ToolSchemas } from "./toolSchemas.ts";

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
	readonly keeping?: Pick<KeepingOptions, "store" | "scope" | "fence">;
} & DoorOptions;

/** A tool as a caller gets it, or why not. */
export type Offered =
	| { readonly kind: "allow"; readonly definition: ToolDefinition }
	| Exclude<Verdict, { readonly kind: "allow" }>;

export type Passthrough = { readonly endpoint: McpEndpoint; close(): Promise<void> };

const MAY_ASK = new Set(["tools/call", "prompts/get", "resources/read"]);
/** What a server with a handshake offers may depend on what its client can be asked. */
const LISTS = new Set(["tools/list", "prompts/list", "resources/list", "resources/templates/list"]);
const OUTLASTING = new Set(["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);
/** Rules speak of tools, so whoever may not use all of them is offered nothing else of the server. */
const OF_TOOLS = /^(tools|tasks|logging)\//;
const MOST_URI_CHARS = 8_192;
/** Connections kept free for clients without a session. */
const SPARE_LINKS = 8;

/** One server under its own names on one path, for clients of either era, whichever era it speaks itself. */
export function createPassthrough(options: PassthroughOptions): Passthrough {
	const { spec, open, serving, login, onHost, offered = asListed, runnable = () => ALLOW, ...others } = options;
	const { repeatable = () => false, seesAll = () => true, instructions = (said) => said, keeping, ...limits } = others;
	const door = new UpstreamDoor(spec, open, {
		...(serving && { serving }),
		...(login && { login }),
		...(onHost && { onHost }),
	});
	const publish = (method: string, params: JsonObject): void => {
		if (method === "notifications/tools/list_changed") schemas.forget();
		endpoint.notifyModern(method, { ...params });
		preferences.notify(method, params);
	};
	const shared = new SharedLink(door, publish);
	const schemas = new ToolSchemas(shared);
	const sessions = new SessionLinks(door, shared);
	const asking = new AskingLinks(door, publish);
	const tasks = new CallersTasks();
	const preferences = new SessionPreferences((uris) => {
		shared.watch(uris);
		asking.watch(uris);
	});

	/** The arguments that a modern HTTP server wants repeated in headers; undefined for other servers. */
	const headersFor = async (method: string, params: JsonObject): Promise<Record<string, string> | undefined> => {
		if (method !== "tools/call" || spec.kind === "stdio") return undefined;
		return paramHeaderValues(params.arguments, paramHeaders(await schemas.of(String(params.name))));
	};

	const forLegacyClient = async (
		link: Link,
		method: string,
		params: JsonObject,
		context: RpcContext,
	): Promise<unknown> => {
		await context.dispatching?.(contractFor(method, params));
		if (link.era === "legacy") {
			const result = await link.call(method, params, context);
			if (context.session !== undefined && OUTLASTING.has(method)) sessions.agreed(context.session, method, params);
			return result;
		}
		if (preferences.note(context.session, method, params)) return {};
		const claim = createClaim(context.client, preferences.of(context.session).logLevel);
		const headers = await headersFor(method, params);
		return toLegacyResult(await callWithQuestions(link, method, addClaim(params, claim), context, headers));
	};

	const forModernClient = async (method: string, params: JsonObject, context: RpcContext): Promise<unknown> => {
		const link = await modernLink(context);
		if (link.era === "modern") {
			const headers = { ...context.paramHeaders, ...(await headersFor(method, params)) };
			return link.call(method, params, context, headers);
		}
		try {
			if (MAY_ASK.has(method) && canBeAsked(context.client)) return await asking.call(method, params, context);
			if (LISTS.has(method) && canBeAsked(context.client))
				return await (await asking.kept(context)).call(method, removeClaim(params), context);
			if (readLogLevel(params) !== undefined) await link.wantLogs(context.signal);
			return await link.call(method, removeClaim(params), context);
		} catch (thrown) {
			if (thrown instanceof RpcError && thrown.code === RPC_CODES.resourceNotFound)
				throw new RpcError(RPC_CODES.invalidParams, thrown.message, thrown.data);
			throw thrown;
		}
	};

	const dispatcher: Dispatcher = async (method, given, context) => {
		const params = isObject(given) ? given : {};
		if (!OF_TOOLS.test(method) && !seesAll(context.principal)) throw closedMethod(method);
		if (context.era === "legacy" && context.session === undefined && OUTLASTING.has(method))
			throw unknownMethod(method);
		if (method === "resources/subscribe") checkUri(params.uri);
		tasks.check(method, params, context.principal);
		const pass = async (): Promise<unknown> => {
			if (method === "tools/call") throwIfClosed(params.name, await verdictOn(params.name, context));
			return context.era === "modern"
				? forModernClient(method, params, context)
				: forLegacyClient(await legacyLink(context), method, params, context);
		};
		// If the server had forgotten the session, the request never ran: send it again on a new connection.
		const answer = pass().catch((thrown) => (thrown instanceof ForgottenSession ? pass() : Promise.reject(thrown)));
		const passed = await answer.catch((thrown) => Promise.reject(withoutNeedlessDoubt(thrown, params)));
		const result = tasks.answer(method, passed, context.principal);
		return method === "tools/list" ? withTools(result, (tools) => offered(tools, context.principal)) : result;
	};
	/** What may be done with a request if the gateway is lost during it. */
	const contractFor = (method: string, { name, arguments: args }: JsonObject): ReplayContract => {
		if (method !== "tools/call") return contractOf(effectOfMethod(method).recovery, () => undefined);
		return repeatable(String(name), isObject(args) ? args : {}) ? "convergent" : "never_replay";
	};
	const withoutNeedlessDoubt = (thrown: unknown, { name, arguments: args }: JsonObject): unknown =>
		thrown instanceof CallInDoubt && repeatable(String(name), isObject(args) ? args : {})
			? thrown.ifRepeatable
			: thrown;
	const verdictOn = async (name: unknown, context: RpcContext): Promise<Verdict> => {
		if (typeof name !== "string") return HIDE;
		const known = runnable(name, context.principal);
		if (known !== undefined) return known;
		// The server may offer this tool to this client only.
		const link = await (context.era === "modern" ? modernLink(context) : legacyLink(context));
		const tool = (await readDefinitions(link, context.client, context.signal)).find((listed) => listed.name === name);
		return offered(tool === undefined ? [] : [tool], context.principal)[0] ?? HIDE;
	};
	const modernLink = async (context: RpcContext): Promise<Link> =>
		(canBeAsked(context.client) ? asking.keptBy(context) : undefined) ?? shared.get();
	const legacyLink = (context: RpcContext): Promise<Link> =>
		context.session === undefined ? shared.get() : sessions.for(context.session, context.client);

	/** A client that waits for notifications sends nothing, so its server is reached at once. */
	const goOn = (session: Session): void => {
		if (session.client === undefined) return;
		sessions
			.for(session, session.client)
			.then((link) => {
				if (link.era === "modern") preferences.of(session);
			})
			.catch(() => {});
	};

	const endpoint: McpEndpoint = new McpEndpoint({
		dispatcher,
		parse: parseExact,
		description: async ({ era, client, session }) => {
			const link = era === "legacy" && session !== undefined ? await sessions.for(session, client) : await shared.get();
			if (session !== undefined && link.era === "modern") preferences.of(session);
			return link.description;
		},
		toldTo: (description, principal) => {
			const { instructions: said, ...others } = seesAll(principal) ? description : withToolsOnly(description);
			const told = said === undefined ? undefined : instructions(said);
			return told === undefined ? others : { ...others, instructions: told };
		},
		onNotification: (method, params, session) => {
			if (session === undefined) return;
			if (method === "notifications/initialized") sessions.acknowledge(session);
			else sessions.notify(session, method, isObject(params) ? params : {});
		},
		toolSchema: (tool) => schemas.of(tool),
		onWatch: (uris) => preferences.watchedBySubscribers(uris),
		// Each session has its own connection to the server; an idle session makes room for the next.
		...(spec.protocol !== "modern" && { maxSessions: MOST_LINKS - SPARE_LINKS }),
		...(keeping !== undefined && { keeping: { ...keeping, handlersTell: true, onRestored: goOn } }),
		...limits,
	});
	return {
		endpoint,
		close: async () => {
			asking.end();
			await door.close();
		},
	};
}

function asListed(tools: readonly ToolDefinition[]): readonly Offered[] {
	return tools.map((definition) => ({ kind: "allow", definition }));
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
