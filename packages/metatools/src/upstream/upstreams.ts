import { isDeepStrictEqual } from "node:util";
import type { CatalogTool } from "../catalog/tool.ts";
import { ToolError } from "../contract/errors.ts";
import type { BackendRunner } from "../run/backend.ts";
import { unavailable } from "./callFailure.ts";
import { leftOutText } from "./listTools.ts";
import type { UpstreamSpec } from "./spec.ts";
import { Upstream, type UpstreamOptions } from "./upstream.ts";

// How long calls in flight may go on at a server that was replaced or removed.
const GRACE_MS = 30_000;

/** All servers behind the gateway, kept equal to what configuration names. */
export class Upstreams implements BackendRunner {
	readonly #options: UpstreamOptions;
	readonly #byName = new Map<string, Upstream>();
	/** Servers with a changed configuration, which take over once they are connected. */
	readonly #successors = new Map<string, Upstream>();
	readonly #leaving = new Set<Upstream>();

	constructor(options: UpstreamOptions) {
		this.#options = options;
	}

	get all(): readonly Upstream[] {
		return [...this.#byName.values()];
	}

	/** Registers servers before they are started, so that they can be listed and waited for. */
	expect(specs: readonly UpstreamSpec[]): void {
		for (const spec of specs) this.#byName.set(spec.name, new Upstream(spec, this.#options));
	}

	/** Waits while the server of a namespace is connecting; throws if it does not get connected. */
	async arrival(namespace: string, signal: AbortSignal): Promise<void> {
		const upstream = this.all.find(({ spec }) => spec.namespace === namespace);
		if (upstream === undefined) return;
		await upstream.settled(signal);
		if (upstream.state.kind !== "ready") throw unavailable(upstream.spec.name, upstream.state, upstream.login);
	}

	/** Why a tool that a server declares is not in the catalogue. */
	leftOut(namespace: string, name: string): string | undefined {
		const upstream = this.all.find(({ spec }) => spec.namespace === namespace);
		return upstream?.problems.find((problem) => problem.startsWith(leftOutText(name, "")));
	}

	/** Starts new servers, stops removed ones, replaces changed ones, and leaves the rest alone. */
	async apply(specs: readonly UpstreamSpec[]): Promise<void> {
		const wanted = new Map(specs.map((spec) => [spec.name, spec]));
		for (const upstream of this.all) if (!wanted.has(upstream.spec.name)) this.#remove(upstream);
		for (const spec of specs) {
			const newest = this.#successors.get(spec.name) ?? this.#byName.get(spec.name);
			if (newest === undefined) this.#byName.set(spec.name, this.#begin(spec));
			else if (!isDeepStrictEqual(newest.spec, spec)) this.#replace(spec);
			else newest.start();
		}
	}

	run: BackendRunner["run"] = async (call) => {
		return this.#of(call.tool).call(call);
	};

	/** Reads a resource that a tool linked to, from the tool's server. */
	async read(tool: CatalogTool, uri: string, signal: AbortSignal): Promise<unknown> {
		return this.#of(tool).read(uri, signal);
	}

	async stop(): Promise<void> {
		const everyone = [...this.#byName.values(), ...this.#successors.values(), ...this.#leaving];
		this.#byName.clear();
		this.#successors.clear();
		await Promise.all(everyone.map((upstream) => upstream.stop()));
	}

	#of({ id, backend }: CatalogTool): Upstream {
		const upstream = backend.kind === "mcp" ? this.#byName.get(backend.mcp.serverName) : undefined;
		if (upstream !== undefined) return upstream;
		throw new ToolError("no_backends", `The server of ${id} is not configured any more.`, { op: "select_backend" });
	}

	#begin(spec: UpstreamSpec): Upstream {
		const upstream = new Upstream(spec, this.#options);
		upstream.start();
		return upstream;
	}

	/** Replaces a server. The old one answers until the new one is connected, and stays if that never happens. */
	#replace(spec: UpstreamSpec): void {
		const abandoned = this.#successors.get(spec.name);
		this.#successors.delete(spec.name);
		if (abandoned !== undefined) this.#leave(abandoned);
		const current = this.#byName.get(spec.name);
		// The change was undone: the running server already matches.
		if (isDeepStrictEqual(current?.spec, spec)) return;
		const successor = this.#begin(spec);
		this.#successors.set(spec.name, successor);
		void successor.connected().then((ready) => {
			if (!ready || this.#successors.get(spec.name) !== successor) return;
			this.#successors.delete(spec.name);
			const old = this.#byName.get(spec.name);
			this.#byName.set(spec.name, successor);
			if (old !== undefined) this.#leave(old);
		});
	}

	#remove(upstream: Upstream): void {
		const { name, namespace } = upstream.spec;
		const successor = this.#successors.get(name);
		this.#byName.delete(name);
		this.#successors.delete(name);
		for (const leaving of [upstream, successor]) if (leaving !== undefined) this.#leave(leaving);
		this.#options.catalog.remove(namespace);
	}

	#leave(upstream: Upstream): void {
		this.#leaving.add(upstream);
		void upstream.retire(GRACE_MS).finally(() => this.#leaving.delete(upstream));
	}
}
