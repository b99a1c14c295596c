import type { ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Principal } from "libmcp";
import { asError } from "libmcp/command";
import { type Fleet, type HttpEndpoint, HttpRefusal, type KeepingOptions } from "libmcp/http";
import { type Catalog, createEntry } from "../catalog/catalog.ts";
import { nameTools } from "../catalog/naming.ts";
import type { CatalogTool, ToolDefinition } from "../catalog/tool.ts";
import { approveInstructions } from "../quarantine/quarantine.ts";
import { HIDE, LOCAL_VIEWER, type Viewer } from "../run/access.ts";
import { isRepeatable } from "../run/backend.ts";
import type { Gateway } from "../server/gateway.ts";
import { isUsable } from "../upstream/listTools.ts";
import { isSameConnection, type ReachableSpec } from "../upstream/spec.ts";
import { isWanted } from "../upstream/toolListing.ts";
import { type OpenTransport, openTransport } from "../upstream/transport.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { createPassthrough, type Offered, type Passthrough, type PassthroughOptions } from "./passthrough.ts";

export type MountOptions = {
	readonly viewerOf?: ((principal: Principal) => Viewer) | undefined;
	readonly open?: OpenTransport;
	/** Keeps sessions beyond this process. */
	readonly keeping?: Pick<KeepingOptions, "store" | "fence" | "writer"> & { readonly fleet?: Pick<Fleet, "join"> };
} & Pick<PassthroughOptions, "sessionIdleMs" | "stateless" | "jsonResponses">;

/** `served` is what requests reach: the endpoint, or that of all nodes of a fleet. */
type Mounted = Passthrough & { spec: ReachableSpec; readonly served: HttpEndpoint };

/** How long calls in flight may go on when the entry of their server has changed or is gone. */
const GRACE_MS = 30_000;
const PATH = /^\/mcp\/([^/]+)$/;

/** Serves each configured server under its own path, `/mcp/<namespace>`. */
export class MountedUpstreams {
	readonly #gateway: Gateway;
	readonly #options: MountOptions;
	readonly #mounted = new Map<string, Mounted>();
	readonly #leaving = new Set<Mounted>();

	constructor(gateway: Gateway, options: MountOptions = {}) {
		this.#gateway = gateway;
		this.#options = options;
		gateway.upstreams.onChange(() => {
			for (const namespace of [...this.#mounted.keys()]) this.#followEntry(namespace);
		});
		gateway.onAccessChanged(() => {
			for (const { endpoint } of this.#mounted.values()) endpoint.notify("notifications/tools/list_changed");
		});
	}

	at(path: string): HttpEndpoint | undefined {
		const namespace = PATH.exec(path)?.[1];
		if (namespace === undefined) return undefined;
		const spec = this.#upstreamOf(namespace)?.spec;
		if (spec === undefined) {
			this.#followEntry(namespace);
			return undefined;
		}
		return {
			handle: async (request, response, principal) => {
				await this.#arrival(namespace, this.#viewer(principal), response);
				return this.#endpointOf(namespace).handle(request, response, principal);
			},
			close: async (drainMs) => this.#mounted.get(namespace)?.served.close(drainMs),
		};
	}

	get sessions(): number {
		return [...this.#mounted.values()].reduce((sum, { endpoint }) => sum + endpoint.sessions, 0);
	}

	all(): Iterable<HttpEndpoint> {
		// Closing an endpoint closes its conversations with the server too.
		return [...this.#mounted.values(), ...this.#leaving].map(({ served, close }) => ({
			handle: (...request) => served.handle(...request),
			close: async (drainMs) => {
				await served.close(drainMs);
				await close();
			},
		}));
	}

	#upstreamOf(namespace: string): Upstream | undefined {
		return this.#gateway.upstreams.all.find((upstream) => upstream.spec.namespace === namespace);
	}

	/** Looked up when a request is let in, because the entry may have changed while it waited. */
	#endpointOf(namespace: string): HttpEndpoint {
		this.#followEntry(namespace);
		const spec = this.#upstreamOf(namespace)?.spec;
		if (spec === undefined) throw nothingAt(namespace);
		if (spec.kind === "unusable")
			throw new HttpRefusal("NOT_FOUND", `the server ${namespace} cannot be used: ${spec.reason}`);
		return (this.#mounted.get(namespace) ?? this.#mount(namespace, spec)).served;
	}

	#mount(namespace: string, spec: ReachableSpec): Mounted {
		const { viewerOf: _, open = openTransport, keeping, ...manner } = this.#options;
		const upstream = this.#upstreamOf(namespace);
		const through = createPassthrough({
			spec,
			open,
			serving: () => this.#upstreamOf(namespace)?.serving,
			...(upstream !== undefined && { login: upstream.login }),
			onHost: (host) => this.#upstreamOf(namespace)?.sessionHosts.add(host),
			offered: (tools, principal) => this.#offered(mounted.spec, tools, this.#viewer(principal)),
			runnable: (tool, principal) => {
				const known = this.#gateway.catalog.declared(namespace, tool);
				return known && this.#gateway.verdict(known, this.#viewer(principal));
			},
			instructions: (said) => {
				const backend = { kind: "mcp", mcp: { serverName: spec.name } } as const;
				return approveInstructions(this.#gateway, { namespace, backend }, said);
			},
			seesAll: (principal) => this.#seesAll(namespace, this.#viewer(principal)),
			repeatable: (name, args) => {
				const tool = this.#gateway.catalog.declared(namespace, name);
				return tool !== undefined && isRepeatable(tool, args);
			},
			...manner,
			...(keeping !== undefined && {
				keeping: { store: keeping.store, fence: keeping.fence, writer: keeping.writer, scope: `/mcp/${namespace}` },
			}),
		});
		const served = keeping?.fleet?.join(through.endpoint) ?? through.endpoint;
		const mounted: Mounted = { ...through, spec, served };
		this.#mounted.set(namespace, mounted);
		return mounted;
	}

	/** Ends what was mounted for an entry that is gone, or now says to connect otherwise; other changes end no session. */
	#followEntry(namespace: string): void {
		const mounted = this.#mounted.get(namespace);
		const now = this.#upstreamOf(namespace)?.spec;
		if (mounted === undefined || mounted.spec === now) return;
		if (now !== undefined && now.kind !== "unusable" && isSameConnection(mounted.spec, now)) {
			mounted.spec = now;
			mounted.endpoint.notify("notifications/tools/list_changed");
			return;
		}
		this.#mounted.delete(namespace);
		this.#leaving.add(mounted);
		const { endpoint, served, close } = mounted;
		endpoint.endKeeping();
		void served
			.close(GRACE_MS)
			.then(close)
			.finally(() => this.#leaving.delete(mounted));
	}

	/** If a caller may see none of a server's tools, the whole server is hidden, including resources and prompts. */
	#isOpenTo(namespace: string, viewer: Viewer): boolean {
		const tools = this.#gateway.catalog.toolsOf(namespace);
		if (tools.length > 0) return tools.some((tool) => this.#gateway.verdict(tool, viewer).kind !== "hide");
		// A toolset may turn out to hold nothing of this server, and its resources are not looked at one by one.
		return viewer.toolset === undefined && this.#gateway.covers(namespace, viewer);
	}

	/** Resources and prompts may hold what a hidden tool would show, and no rule speaks of them. */
	#seesAll(namespace: string, viewer: Viewer): boolean {
		return this.#gateway.seesAll(namespace, viewer);
	}

	/**
	 * Waits while a server connects, because a tool's id, and so every rule and approval, depends on its neighbours. Throws
	 * if the caller may see nothing of the server.
	 */
	async #arrival(namespace: string, viewer: Viewer, response: ServerResponse): Promise<void> {
		let reason: string | undefined;
		if (this.#gateway.catalog.toolsOf(namespace).length === 0) {
			if (!this.#gateway.admits(namespace, viewer)) throw nothingAt(namespace);
			const left = new AbortController();
			response.once("close", () => left.abort());
			await this.#gateway.upstreams.arrival(namespace, left.signal).catch((thrown: unknown) => {
				reason = asError(thrown).message;
			});
		}
		if (this.#isOpenTo(namespace, viewer)) return;
		throw reason === undefined ? nothingAt(namespace) : new HttpRefusal("NOT_FOUND", reason);
	}

	/** Applies the same gates as search. Those that wait and that only this client is shown are stored for `approve`. */
	#offered(spec: ReachableSpec, listed: readonly ToolDefinition[], viewer: Viewer): readonly Offered[] {
		const waiting: CatalogTool[] = [];
		const offered = listed.map((definition): Offered => {
			const known = this.#gateway.catalog.declared(spec.namespace, definition.name);
			if (known !== undefined) return this.#knownOffer(known, definition, viewer);
			const tool = createSessionTool(spec, definition, this.#gateway.catalog);
			const verdict = tool === undefined ? HIDE : this.#gateway.verdict(tool, viewer);
			if (tool !== undefined && verdict.kind === "refuse") waiting.push(tool);
			return verdict.kind === "allow" ? { kind: "allow", definition } : verdict;
		});
		if (waiting.length > 0) this.#gateway.quarantine?.hold(...waiting);
		return offered;
	}

	/** A known tool in words that nobody approved is shown in those that were. */
	#knownOffer(known: CatalogTool, listed: ToolDefinition, viewer: Viewer): Offered {
		const isSame = isDeepStrictEqual(listed, known.definition);
		const asListed = this.#gateway.verdict(isSame ? known : { ...known, definition: listed }, viewer);
		if (asListed.kind === "allow") return { kind: "allow", definition: listed };
		const verdict = this.#gateway.verdict(known, viewer);
		return verdict.kind === "allow" ? { kind: "allow", definition: known.definition } : verdict;
	}

	#viewer(principal: Principal | undefined): Viewer {
		if (principal === undefined) return this.#gateway.confine(LOCAL_VIEWER);
		const viewer = this.#options.viewerOf?.(principal) ?? { id: principal.id, scopes: principal.scopes };
		return this.#gateway.confine(viewer);
	}
}

function nothingAt(namespace: string): HttpRefusal {
	return new HttpRefusal("NOT_FOUND", `there is nothing at ${JSON.stringify(`/mcp/${namespace}`)}`);
}

/**
 * A tool that a server offers to one client only, because that client has a capability it needs, or turned it on.
 * Undefined if the catalogue would leave it out anyway.
 */
export function createSessionTool(
	spec: ReachableSpec,
	definition: ToolDefinition,
	catalog: Catalog,
): CatalogTool | undefined {
	if (!isUsable(definition) || !isWanted(definition.name, spec)) return undefined;
	const [named] = nameTools(spec.namespace, [definition]).tools;
	// Rules and approvals of another tool must not apply to it.
	if (named === undefined || catalog.get(named.id) !== undefined) return undefined;
	// A changed name depends on the server's other tools, which are not known while the gateway has no list of them.
	if (named.renamed !== undefined && catalog.toolsOf(spec.namespace).length === 0) return undefined;
	return createEntry(named, spec.namespace, { kind: "mcp", mcp: { serverName: spec.name } });
}
