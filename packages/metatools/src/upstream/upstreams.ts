import { isDeepStrictEqual } from "node:util";
import type { CatalogTool } from "../catalog/tool.ts";
import { ToolError } from "../contract/errors.ts";
import type { BackendRunner } from "../run/backend.ts";
import { createUnavailableError } from "./failure/callFailure.ts";
import { describeLeftOut } from "./listTools.ts";
import { isSameConnection, type UpstreamSpec } from "./spec.ts";
import { Upstream, type UpstreamOptions } from "./upstream.ts";

// How long calls in flight may go on at a server that was replaced or removed.
const GRACE_MS = 30_000;

/** All servers behind the gateway, kept equal to what configuration names. */
export class Upstreams implements BackendRunner {
	readonly #options: UpstreamOptions;
	readonly #byName = new Map<string, Upstream>();
	readonly #leaving = new Set<Upstream>();
	readonly #onChange = new Set<() => void>();

	constructor(options: UpstreamOptions) {
		this.#options = options;
	}

	get all(): readonly Upstream[] {
		return [...this.#byName.values()];
	}

	/** Called when a server has been replaced, adjusted or removed. */
	onChange(listener: () => void): void {
		this.#onChange.add(listener);
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
		if (upstream.state.kind !== "ready")
			throw createUnavailableError(upstream.spec.name, upstream.state, upstream.login);
	}

	/** Why a tool that a server declares is not in the catalogue. */
	leftOut(namespace: string, name: string): string | undefined {
		const upstream = this.all.find(({ spec }) => spec.namespace === namespace);
		return upstream?.problems.find((problem) => problem.startsWith(describeLeftOut(name, "")));
	}

	/** Starts new servers, stops removed ones, replaces or adjusts changed ones, and leaves the rest alone. */
	async apply(specs: readonly UpstreamSpec[]): Promise<void> {
		const wanted = new Map(specs.map((spec) => [spec.name, spec]));
		for (const upstream of this.all) if (!wanted.has(upstream.spec.name)) this.#remove(upstream);
		for (const spec of specs) {
			const current = this.#byName.get(spec.name);
			const newest = current?.successor ?? current;
			if (current === undefined || newest === undefined) this.#byName.set(spec.name, this.#begin(spec));
			else if (!isSameConnection(newest.spec, spec)) this.#replace(current, spec);
			else {
				this.#adjust(newest, spec);
				newest.start();
			}
		}
	}

	run: BackendRunner["run"] = async (call) => {
		return this.#of(call.tool).call(call);
	};

	/** Reads a resource that a tool linked to, from the tool's server. */
	async read(tool: CatalogTool, uri: string, signal: AbortSignal): Promise<unknown> {
		return this.#of(tool).request("resources/read", { uri }, signal);
	}

	async stop(): Promise<void> {
		for (const upstream of this.all) this.#abandonSuccessor(upstream);
		const everyone = [...this.all, ...this.#leaving];
		this.#byName.clear();
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
	#replace(current: Upstream, spec: UpstreamSpec): void {
		this.#abandonSuccessor(current);
		// The change was undone: the running server already matches.
		if (isSameConnection(current.spec, spec)) {
			this.#adjust(current, spec);
			return;
		}
		const successor = this.#begin(spec);
		current.successor = successor;
		// An entry with a mistake has nothing to go on with.
		if (current.spec.kind === "unusable") this.#takeOver(current, successor);
		else
			void successor.connected().then((ready) => {
				if (ready && current.successor === successor) this.#takeOver(current, successor);
			});
	}

	#adjust(upstream: Upstream, spec: UpstreamSpec): void {
		if (isDeepStrictEqual(upstream.spec, spec)) return;
		upstream.adjust(spec);
		for (const listener of this.#onChange) listener();
	}

	#takeOver(current: Upstream, successor: Upstream): void {
		current.successor = undefined;
		this.#byName.set(successor.spec.name, successor);
		this.#leave(current);
		const { name, namespace } = successor.spec;
		if (namespace === current.spec.namespace) return;
		this.#forgetTools(current);
		const old = current.spec.namespace;
		this.#options.log(
			`${name}: its namespace is ${namespace} now, not ${old}; rules and approvals go by the namespace`,
		);
	}

	#remove(upstream: Upstream): void {
		this.#byName.delete(upstream.spec.name);
		this.#abandonSuccessor(upstream);
		this.#leave(upstream);
		this.#forgetTools(upstream);
	}

	/** Takes the tools of a server out of the catalogue, unless another server has put its own in their place. */
	#forgetTools({ spec: { name, namespace } }: Upstream): void {
		const { catalog } = this.#options;
		const isOthers = ({ backend }: CatalogTool): boolean => backend.kind === "mcp" && backend.mcp.serverName !== name;
		if (!catalog.toolsOf(namespace).some(isOthers)) catalog.remove(namespace);
	}

	#abandonSuccessor(upstream: Upstream): void {
		const { successor } = upstream;
		upstream.successor = undefined;
		if (successor !== undefined) this.#leave(successor);
	}

	#leave(upstream: Upstream): void {
		this.#leaving.add(upstream);
		void upstream.retire(GRACE_MS).finally(() => this.#leaving.delete(upstream));
		for (const listener of this.#onChange) listener();
	}
}
