import type { Session } from "libmcp";
import type { Viewer } from "../run/access.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import { readSharedUri, sharedUri } from "./sharedNames.ts";

type Watching = { readonly session: Session; readonly uris: Map<string, Viewer> };

const UPDATED = "notifications/resources/updated";
/** Limit on what one session may watch, since clients choose the addresses. */
const MOST_OF_ONE = 1_000;

export type WatchOptions = {
	readonly upstreams: () => Upstreams;
	/** Whether a caller may still know of a server's resources. */
	readonly seesAll: (namespace: string, viewer: Viewer) => boolean;
	/** Called with an update, for clients without a session. */
	readonly onUpdated: (params: { readonly uri: string }) => void;
};

/** Who watches which resources, so that each server is asked to tell of those, once for all who watch them. */
export class ResourceWatch {
	readonly #options: WatchOptions;
	readonly #sessions = new Map<string, Watching>();
	/** What clients without a session watch, by the door they came in. */
	readonly #others = new Map<object, ReadonlySet<string>>();

	constructor(options: WatchOptions) {
		this.#options = options;
	}

	/** Lets a session hear of a resource until it ends or has had enough. */
	add(session: Session, uri: string, viewer: Viewer): void {
		const watching = this.#sessions.get(session.id) ?? this.#begin(session);
		if (watching.uris.size < MOST_OF_ONE) watching.uris.set(uri, viewer);
		this.#tellServers();
	}

	remove(session: Session, uri: string): void {
		if (this.#sessions.get(session.id)?.uris.delete(uri) === true) this.#tellServers();
	}

	/** Sets what the clients without a session that come through one door watch. */
	setOthers(door: object, uris: ReadonlySet<string>): void {
		if (uris.size === 0) this.#others.delete(door);
		else this.#others.set(door, uris);
		this.#tellServers();
	}

	/** Passes on that a server's resource has changed. */
	announce({ spec: { namespace } }: Upstream, own: string): void {
		const uri = sharedUri(namespace, own);
		for (const { session, uris } of this.#sessions.values()) {
			const viewer = uris.get(uri);
			if (viewer !== undefined && this.#options.seesAll(namespace, viewer)) session.notify(UPDATED, { uri });
		}
		this.#options.onUpdated({ uri });
	}

	#begin(session: Session): Watching {
		const watching: Watching = { session, uris: new Map() };
		this.#sessions.set(session.id, watching);
		const end = () => {
			this.#sessions.delete(session.id);
			this.#tellServers();
		};
		session.ended.addEventListener("abort", end, { once: true });
		return watching;
	}

	#tellServers(): void {
		const all = [...[...this.#sessions.values()].map(({ uris }) => uris.keys()), ...this.#others.values()];
		const parsed = all.flatMap((uris) => [...uris].flatMap((uri) => readSharedUri(uri) ?? []));
		const byNamespace = Map.groupBy(parsed, ({ namespace }) => namespace);
		for (const upstream of this.#options.upstreams().all) {
			const own = (byNamespace.get(upstream.spec.namespace) ?? []).map((one) => one.own);
			upstream.watch(new Set(own));
		}
	}
}
