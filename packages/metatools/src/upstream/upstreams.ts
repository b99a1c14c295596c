import { isDeepStrictEqual } from "node:util";
import { ToolError } from "../contract/errors.ts";
import type { BackendRunner } from "../run/backend.ts";
import type { UpstreamSpec } from "./spec.ts";
import { Upstream, type UpstreamOptions } from "./upstream.ts";

/** All servers behind the gateway, kept equal to what configuration names. */
export class Upstreams implements BackendRunner {
	readonly #options: UpstreamOptions;
	readonly #byName = new Map<string, Upstream>();

	constructor(options: UpstreamOptions) {
		this.#options = options;
	}

	get all(): readonly Upstream[] {
		return [...this.#byName.values()];
	}

	/** Starts what is new, stops what is gone, restarts what is described differently; the rest is left alone. */
	async apply(specs: readonly UpstreamSpec[]): Promise<void> {
		const wanted = new Map(specs.map((spec) => [spec.name, spec]));
		const gone = this.all.filter((upstream) => !isDeepStrictEqual(wanted.get(upstream.spec.name), upstream.spec));
		if (gone.length > 0) await Promise.all(gone.map((upstream) => this.#remove(upstream)));
		for (const spec of specs) {
			if (this.#byName.has(spec.name)) continue;
			const upstream = new Upstream(spec, this.#options);
			this.#byName.set(spec.name, upstream);
			upstream.start();
		}
	}

	run: BackendRunner["run"] = async (call) => {
		const { backend } = call.tool;
		const upstream = backend.kind === "mcp" ? this.#byName.get(backend.mcp.serverName) : undefined;
		if (upstream === undefined)
			throw new ToolError("no_backends", `The server of ${call.tool.id} is not configured any more.`, {
				op: "select_backend",
			});
		return upstream.call(call);
	};

	async stop(): Promise<void> {
		await Promise.all(this.all.map((upstream) => this.#remove(upstream)));
	}

	async #remove(upstream: Upstream): Promise<void> {
		this.#byName.delete(upstream.spec.name);
		await upstream.stop();
	}
}
