import { isDeepStrictEqual } from "node:util";
import type { Principal } from "libmcp";
import { type HttpEndpoint, HttpRefusal } from "libmcp/http";
import type { ToolDefinition } from "../catalog/tool.ts";
import { LOCAL_VIEWER, type Viewer } from "../run/access.ts";
import type { Gateway } from "../server/gateway.ts";
import { sameConnection } from "../upstream/sameConnection.ts";
import type { ReachableSpec } from "../upstream/spec.ts";
import { type OpenTransport, openTransport } from "../upstream/transport.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { type Passthrough, type PassthroughOptions, passthrough } from "./passthrough.ts";
import { sessionTool } from "./sessionTool.ts";

export type MountOptions = {
	readonly viewerOf?: ((principal: Principal) => Viewer) | undefined;
	readonly open?: OpenTransport;
} & Pick<PassthroughOptions, "sessionIdleMs" | "stateless" | "jsonResponses">;

type Mounted = Passthrough & { spec: ReachableSpec };

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
	}

	at(path: string): HttpEndpoint | undefined {
		const namespace = PATH.exec(path)?.[1];
		if (namespace === undefined) return undefined;
		const spec = this.#upstreamOf(namespace)?.spec;
		this.#followEntry(namespace);
		if (spec === undefined) return undefined;
		if (spec.kind === "unusable") return this.#refusing(namespace, spec.reason);
		const { endpoint } = this.#mounted.get(namespace) ?? this.#mount(namespace, spec);
		return {
			handle: (request, response, principal) => {
				this.#checkAdmitted(namespace, principal);
				return endpoint.handle(request, response, principal);
			},
			close: (drainMs) => endpoint.close(drainMs),
		};
	}

	get sessions(): number {
		return [...this.#mounted.values()].reduce((sum, { endpoint }) => sum + endpoint.sessions, 0);
	}

	all(): Iterable<HttpEndpoint> {
		// Closing an endpoint closes its conversations with the server too.
		return [...this.#mounted.values(), ...this.#leaving].map(({ endpoint, close }) => ({
			handle: (...request) => endpoint.handle(...request),
			close: async (drainMs) => {
				await endpoint.close(drainMs);
				await close();
			},
		}));
	}

	#upstreamOf(namespace: string): Upstream | undefined {
		return this.#gateway.upstreams.all.find((upstream) => upstream.spec.namespace === namespace);
	}

	/** Tells whoever may see the server why there is nothing to talk to. */
	#refusing(namespace: string, reason: string): HttpEndpoint {
		return {
			handle: async (_request, _response, principal) => {
				this.#checkAdmitted(namespace, principal);
				throw new HttpRefusal("NOT_FOUND", `the server ${namespace} cannot be used: ${reason}`);
			},
			close: async () => {},
		};
	}

	#mount(namespace: string, spec: ReachableSpec): Mounted {
		const { viewerOf: _, open = openTransport, ...manner } = this.#options;
		const through = passthrough({
			spec,
			open,
			serving: () => this.#upstreamOf(namespace)?.serving,
			onHost: (host) => this.#upstreamOf(namespace)?.sessionHosts.add(host),
			visible: (tool, principal, listed) => this.#isVisible(mounted.spec, tool, principal, listed),
			...manner,
		});
		const mounted: Mounted = { ...through, spec };
		this.#mounted.set(namespace, mounted);
		return mounted;
	}

	/** Ends what was mounted for an entry that is gone, or now says to connect otherwise; other changes end no session. */
	#followEntry(namespace: string): void {
		const mounted = this.#mounted.get(namespace);
		const now = this.#upstreamOf(namespace)?.spec;
		if (mounted === undefined || mounted.spec === now) return;
		if (now !== undefined && now.kind !== "unusable" && sameConnection(mounted.spec, now)) {
			mounted.spec = now;
			mounted.endpoint.notify("notifications/tools/list_changed");
			return;
		}
		this.#mounted.delete(namespace);
		this.#leaving.add(mounted);
		const { endpoint, close } = mounted;
		void endpoint
			.close(GRACE_MS)
			.then(close)
			.finally(() => this.#leaving.delete(mounted));
	}

	/** If a caller may see none of a server's tools, the whole server is hidden, including resources and prompts. */
	#checkAdmitted(namespace: string, principal: Principal | undefined): void {
		const viewer = this.#viewer(principal);
		let hidden = 0;
		for (const tool of this.#gateway.catalog.tools) {
			if (tool.namespace !== namespace) continue;
			if (this.#gateway.verdict(tool, viewer).kind !== "hide") return;
			hidden++;
		}
		// A toolset may turn out to hold nothing of this server, and its resources are not looked at one by one.
		if (hidden === 0 && viewer.toolset === undefined && this.#gateway.admits(namespace, viewer)) return;
		throw new HttpRefusal("NOT_FOUND", `there is nothing at ${JSON.stringify(`/mcp/${namespace}`)}`);
	}

	/** Applies the same gates as search and run. */
	#isVisible(
		spec: ReachableSpec,
		name: string,
		principal: Principal | undefined,
		listed: ToolDefinition | undefined,
	): boolean | undefined {
		const { catalog } = this.#gateway;
		const known = catalog.tools.find((tool) => tool.namespace === spec.namespace && tool.definition.name === name);
		if (known === undefined && listed === undefined) return undefined;
		const tool = known ?? (listed && sessionTool(spec, listed, catalog));
		if (tool === undefined) return false;
		// A server may describe a tool differently to this client; then this description is the one to judge.
		const isKnown = listed === undefined || isDeepStrictEqual(listed, tool.definition);
		const judged = isKnown ? tool : { ...tool, definition: listed };
		const { kind } = this.#gateway.verdict(judged, this.#viewer(principal));
		if (known === undefined && kind === "refuse") this.#gateway.quarantine?.hold(tool);
		return kind === "allow";
	}

	#viewer(principal: Principal | undefined): Viewer {
		if (principal === undefined) return this.#gateway.confine(LOCAL_VIEWER);
		const viewer = this.#options.viewerOf?.(principal) ?? { id: principal.id, scopes: principal.scopes };
		return this.#gateway.confine(viewer);
	}
}
