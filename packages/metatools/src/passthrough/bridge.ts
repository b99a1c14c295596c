import {
	type DescribeServer,
	type Era,
	type ReplayContract,
	RPC_CODES,
	type RpcContext,
	RpcError,
	type ServerDescription,
	type Session,
} from "libmcp";
import { paramHeaders, paramHeaderValues } from "libmcp/http";
import type { ToolDefinition } from "../catalog/tool.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { ReachableSpec } from "../upstream/spec.ts";
import { callWithQuestions, canBeAsked } from "./links/askClient.ts";
import { AskingLinks } from "./links/askingLinks.ts";
import { addClaim, createClaim, readLogLevel, removeClaim, toLegacyResult } from "./links/claim.ts";
import type { Link } from "./links/link.ts";
import { SessionLinks } from "./links/sessionLinks.ts";
import { SharedLink } from "./links/sharedLink.ts";
import type { UpstreamDoor } from "./links/upstreamDoor.ts";
import { SessionPreferences } from "./sessionPreferences.ts";
import { readDefinitions, ToolSchemas } from "./toolSchemas.ts";

type Tell = (method: string, params: JsonObject) => void;

/** A request on its way over a connection to the server. */
type Passing = {
	readonly link: Link;
	readonly method: string;
	readonly params: JsonObject;
	readonly context: RpcContext;
};

/** Requests that set something for later ones of the same session. */
export const OUTLASTING: ReadonlySet<string> = new Set([
	"logging/setLevel",
	"resources/subscribe",
	"resources/unsubscribe",
]);
const MAY_ASK: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);
/** What a server with a handshake offers may depend on what its client can be asked. */
const LISTS: ReadonlySet<string> = new Set([
	"tools/list",
	"prompts/list",
	"resources/list",
	"resources/templates/list",
]);

/** Passes requests between clients and a server of either era, each over the connection that is theirs. */
export class Bridge {
	readonly #spec: ReachableSpec;
	readonly #shared: SharedLink;
	readonly #schemas: ToolSchemas;
	readonly #sessions: SessionLinks;
	readonly #asking: AskingLinks;
	readonly #preferences: SessionPreferences;
	/** How a request passes: by the era of its client, then by that of the server. */
	readonly #ways: Readonly<Record<Era, Readonly<Record<Era, (passing: Passing) => Promise<unknown>>>>> = {
		legacy: { legacy: (passing) => this.#passInSession(passing), modern: (passing) => this.#raise(passing) },
		modern: { legacy: (passing) => this.#lower(passing), modern: (passing) => this.#passWithHeaders(passing) },
	};

	/** `tellModern` tells clients without a session what the server says outside of any request. */
	constructor(spec: ReachableSpec, door: UpstreamDoor, tellModern: Tell) {
		const tell: Tell = (method, params) => {
			if (method === "notifications/tools/list_changed") this.#schemas.forget();
			tellModern(method, { ...params });
			this.#preferences.notify(method, params);
		};
		this.#spec = spec;
		this.#shared = new SharedLink(door, tell);
		this.#schemas = new ToolSchemas(this.#shared);
		this.#sessions = new SessionLinks(door, this.#shared);
		this.#asking = new AskingLinks(door, tell);
		this.#preferences = new SessionPreferences((uris) => {
			this.#shared.watch(uris);
			this.#asking.watch(uris);
		});
	}

	/** The server's answer to a request; the contract says what may be done with it if the gateway is lost meanwhile. */
	async pass(method: string, params: JsonObject, context: RpcContext, contract: ReplayContract): Promise<unknown> {
		const link = await this.#linkFor(context);
		if (context.era === "legacy") await context.dispatching?.(contract);
		return this.#ways[context.era][link.era]({ link, method, params, context });
	}

	/** The tools that the server offers to this client. */
	async listTools(context: RpcContext): Promise<readonly ToolDefinition[]> {
		return readDefinitions(await this.#linkFor(context), context.client, context.signal);
	}

	/** The input schema that the server declares for a tool. */
	schemaOf(tool: string): Promise<unknown> {
		return this.#schemas.of(tool);
	}

	/** What the server says of itself to this client. */
	async describe({ era, client, session }: Parameters<DescribeServer>[0]): Promise<ServerDescription> {
		const link =
			era === "legacy" && session !== undefined ? await this.#sessions.for(session, client) : await this.#shared.get();
		if (session !== undefined && link.era === "modern") this.#preferences.of(session);
		return link.description;
	}

	/** Passes on a notification of a client that has a session. */
	notify(method: string, params: unknown, session: Session): void {
		if (method === "notifications/initialized") this.#sessions.acknowledge(session);
		else this.#sessions.notify(session, method, isObject(params) ? params : {});
	}

	/** Reaches the server for a session that was restored: a client that waits for notifications sends nothing. */
	resume(session: Session): void {
		if (session.client === undefined) return;
		this.#sessions
			.for(session, session.client)
			.then((link) => {
				if (link.era === "modern") this.#preferences.of(session);
			})
			.catch(() => {});
	}

	/** Sets the resources that clients without a session watch. */
	watch(uris: ReadonlySet<string>): void {
		this.#preferences.watchedBySubscribers(uris);
	}

	end(): void {
		this.#asking.end();
	}

	async #linkFor(context: RpcContext): Promise<Link> {
		if (context.era === "modern")
			return (canBeAsked(context.client) ? this.#asking.keptBy(context) : undefined) ?? this.#shared.get();
		return context.session === undefined ? this.#shared.get() : this.#sessions.for(context.session, context.client);
	}

	/** Both have a handshake: the session's own connection is told once what is to hold for later requests. */
	async #passInSession({ link, method, params, context }: Passing): Promise<unknown> {
		const result = await link.call(method, params, context);
		if (context.session !== undefined && OUTLASTING.has(method)) this.#sessions.agreed(context.session, method, params);
		return result;
	}

	/** Only the client has a handshake: what its session has set goes with each request. */
	async #raise({ link, method, params, context }: Passing): Promise<unknown> {
		if (this.#preferences.note(context.session, method, params)) return {};
		const claim = createClaim(context.client, this.#preferences.of(context.session).logLevel);
		const headers = await this.#headersFor(method, params);
		return toLegacyResult(await callWithQuestions(link, method, addClaim(params, claim), context, headers));
	}

	/** Only the server has a handshake: a client that can be asked gets a connection on which it is. */
	async #lower({ link, method, params, context }: Passing): Promise<unknown> {
		try {
			if (MAY_ASK.has(method) && canBeAsked(context.client)) return await this.#asking.call(method, params, context);
			if (LISTS.has(method) && canBeAsked(context.client))
				return await (await this.#asking.kept(context)).call(method, removeClaim(params), context);
			if (readLogLevel(params) !== undefined) await link.wantLogs(context.signal);
			return await link.call(method, removeClaim(params), context);
		} catch (thrown) {
			if (thrown instanceof RpcError && thrown.code === RPC_CODES.resourceNotFound)
				throw new RpcError(RPC_CODES.invalidParams, thrown.message, thrown.data);
			throw thrown;
		}
	}

	/** Neither has a handshake: headers repeat the arguments that the server names. */
	async #passWithHeaders({ link, method, params, context }: Passing): Promise<unknown> {
		const headers = { ...context.paramHeaders, ...(await this.#headersFor(method, params)) };
		return link.call(method, params, context, headers);
	}

	/** The arguments that a modern HTTP server wants repeated in headers; undefined for other servers. */
	async #headersFor(method: string, params: JsonObject): Promise<Record<string, string> | undefined> {
		if (method !== "tools/call" || this.#spec.kind === "stdio") return undefined;
		return paramHeaderValues(params.arguments, paramHeaders(await this.#schemas.of(String(params.name))));
	}
}
