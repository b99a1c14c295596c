import type { Transport } from "@modelcontextprotocol/client";
import { type ClientDescription, type Host, RPC_CODES, RpcError } from "libmcp";
import type { ReachableSpec } from "../upstream/spec.ts";
import type { OpenTransport } from "../upstream/transport.ts";
import { Link, type LinkEvents } from "./link.ts";

export type DoorOptions = {
	/** What to start for a new connection, if that is not the server's entry. */
	readonly serving?: () => ReachableSpec | undefined;
	/** Called with the host of each connection to a program. */
	readonly onHost?: (host: Host) => void;
};

export const MOST_LINKS = 64;

/** Opens connections to one server, up to a limit. */
export class UpstreamDoor {
	readonly spec: ReachableSpec;
	readonly #open: OpenTransport;
	readonly #options: DoorOptions;
	readonly #links = new Set<Link>();
	#opening = 0;

	constructor(spec: ReachableSpec, open: OpenTransport, options: DoorOptions = {}) {
		this.spec = spec;
		this.#open = open;
		this.#options = options;
	}

	get size(): number {
		return this.#links.size;
	}

	legacy(client: ClientDescription, events: LinkEvents): Promise<Link> {
		return this.#link((transport) => Link.legacy(transport, client, events));
	}

	modern(client: ClientDescription, events: LinkEvents): Promise<Link> {
		return this.#link((transport) => Link.modern(transport, client, events));
	}

	async closeAll(): Promise<void> {
		await Promise.all([...this.#links].map((link) => link.close()));
	}

	async #link(greet: (transport: Transport) => Promise<Link>): Promise<Link> {
		const size = this.#links.size + this.#opening;
		if (size >= MOST_LINKS) {
			throw new RpcError(
				RPC_CODES.overloaded,
				`${this.spec.name} has ${size} connections, as many as it can have: ` +
					"one for each session, and one for each call at the same time that may ask its client something.",
				{ code: "QUEUE_OVERLOADED", details: { queue: { max: MOST_LINKS, size } } },
			);
		}
		this.#opening++;
		let link: Link | undefined;
		try {
			const spec = this.#options.serving?.() ?? this.spec;
			const { transport, host } = await this.#open(spec, { onStderr: () => {}, onFatal: () => void link?.close() });
			const opened = await greet(transport);
			link = opened;
			const itsHost = host?.();
			if (itsHost !== undefined) this.#options.onHost?.(itsHost);
			this.#links.add(opened);
			void opened.closed.then(() => this.#links.delete(opened));
			return opened;
		} finally {
			this.#opening--;
		}
	}
}
