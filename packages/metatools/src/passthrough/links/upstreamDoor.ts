import type { Transport } from "@modelcontextprotocol/client";
import { type ClientDescription, type Host, RPC_CODES, RpcError } from "libmcp";
import { createTypedCommand } from "../../catalog/text.ts";
import { createMasker } from "../../upstream/secrets/maskSecrets.ts";
import type { ReachableSpec } from "../../upstream/spec.ts";
import type { OpenTransport } from "../../upstream/transport.ts";
import { createGoneError, type FailingServer } from "./connectionFailure.ts";
import { Link, type LinkEvents } from "./link.ts";

export type DoorOptions = {
	/** What to start for a new connection, if that is not the server's entry. */
	readonly serving?: () => ReachableSpec | undefined;
	/** The command that a person types to log in to the server. */
	readonly login?: string;
	/** Called with the host of each connection to a program. */
	readonly onHost?: (host: Host) => void;
};

export const MOST_LINKS = 64;

/** Opens connections to one server, up to a limit, and owns them: closing it closes them all. */
export class UpstreamDoor {
	readonly spec: ReachableSpec;
	readonly #open: OpenTransport;
	readonly #options: DoorOptions;
	readonly #links = new Set<Link>();
	/** Those whose handshake is not over; closing one fails it. */
	readonly #greeting = new Set<Transport>();
	#opening = 0;
	#isClosed: boolean = false;

	constructor(spec: ReachableSpec, open: OpenTransport, options: DoorOptions = {}) {
		this.spec = spec;
		this.#open = open;
		this.#options = options;
	}

	get size(): number {
		return this.#links.size;
	}

	get isClosed(): boolean {
		return this.#isClosed;
	}

	/** Its handshake lacks the acknowledgement. */
	legacy(client: ClientDescription, events: LinkEvents): Promise<Link> {
		return this.#link((transport, server) => Link.legacy(transport, server, client, events));
	}

	modern(client: ClientDescription, events: LinkEvents, patienceMs?: number): Promise<Link> {
		return this.#link((transport, server) => Link.modern(transport, server, client, events, patienceMs));
	}

	/** Closes every connection, also those that are still being opened, and opens no more. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await Promise.all([...this.#greeting, ...this.#links].map((connection) => connection.close().catch(() => {})));
	}

	async #link(greet: (transport: Transport, server: FailingServer) => Promise<Link>): Promise<Link> {
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
			// It has not started anything yet, so there is nothing to close.
			if (this.#isClosed) throw createGoneError("its connections were closed");
			this.#greeting.add(transport);
			const { login = createTypedCommand()("login", spec.name) } = this.#options;
			const opened = await greet(transport, { masker: createMasker(spec), login }).finally(() =>
				this.#greeting.delete(transport),
			);
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
