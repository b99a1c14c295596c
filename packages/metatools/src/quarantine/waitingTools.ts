import { countText } from "libmcp";
import type { Catalog } from "../catalog/catalog.ts";
import type { TypedCommand } from "../catalog/text.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import type { Quarantine, Quarantined } from "./quarantine.ts";

/** How soon clients are told of an approval; the file with the approvals is not read more often than twice as fast. */
const LOOK_MS = 1_000;

/** A tool that waited and has been approved. */
type Approved = Pick<Quarantined, "tool" | "changed">;

/** Tells people of the tools that wait for their approval. */
export class WaitingTools {
	readonly #catalog: Catalog;
	readonly #quarantine: Quarantine | undefined;
	readonly #command: TypedCommand;
	/** The ids of the tools that are stored as changed. */
	#changed: ReadonlySet<string> = new Set();
	readonly #approvalListeners = new Set<(approved: readonly Approved[]) => void>();
	#stopLooking = (): void => {};

	constructor(catalog: Catalog, quarantine: Quarantine | undefined, command: TypedCommand) {
		this.#catalog = catalog;
		this.#quarantine = quarantine;
		this.#command = command;
	}

	/** How many of these wait. */
	among(tools: readonly CatalogTool[]): number {
		const quarantine = this.#quarantine;
		return quarantine === undefined ? 0 : tools.filter((tool) => quarantine.isWaiting(tool)).length;
	}

	/** The file with the approvals and why it cannot be read; undefined if it can be. */
	get unreadable(): string | undefined {
		return this.#quarantine?.unreadable();
	}

	/** What a person can do about tools that wait. */
	get remedy(): string {
		const { unreadable } = this;
		return unreadable === undefined
			? this.#command("approve")
			: `restore or delete a file that cannot be read, ${unreadable}`;
	}

	/** Says how many of these wait, and what can be done; `undefined` if none does. */
	note(tools: readonly CatalogTool[]): string | undefined {
		const held = this.among(tools);
		if (held === 0) return undefined;
		const wait = held === 1 ? "waits" : "wait";
		return `${held} of ${countText(tools.length, "tool")} ${wait} for approval: ${this.remedy}`;
	}

	/**
	 * Stores the waiting tools that a server did not list when it was connected: after a rollout, `approve` would start
	 * the release before. They stay stored once approved, and until `end`.
	 */
	keepChanged(): void {
		const quarantine = this.#quarantine;
		if (quarantine === undefined) return;
		const first = new Map<string, ReadonlySet<string>>();
		this.#catalog.onChange(() => {
			for (const namespace of this.#catalog.namespaces)
				if (!first.has(namespace)) first.set(namespace, fingerprintsOf(this.#catalog.toolsOf(namespace)));
			const later = this.#catalog.tools.filter((tool) => first.get(tool.namespace)?.has(tool.fingerprint) === false);
			const changed = later.filter((tool) => quarantine.isWaiting(tool) || this.#changed.has(tool.id));
			const ids = new Set(changed.map(({ id }) => id));
			quarantine.hold(...changed);
			quarantine.release(...[...this.#changed].filter((id) => !ids.has(id)));
			this.#changed = ids;
		});
	}

	/** Looks for approvals no longer, and forgets what `keepChanged` stored: from now on the configured command is all there is. */
	end(): void {
		this.#stopLooking();
		this.#quarantine?.release(...this.#changed);
	}

	/**
	 * Calls the listener when tools that waited may run, with those that have been approved, here or by another process,
	 * until `end`.
	 */
	onApproved(listener: (approved: readonly Approved[]) => void): void {
		if (this.#approvalListeners.size === 0) this.#lookForApprovals();
		this.#approvalListeners.add(listener);
	}

	#lookForApprovals(): void {
		const quarantine = this.#quarantine;
		if (quarantine === undefined) return;
		let waiting: readonly Approved[] = [];
		let wasUnreadable = false;
		let looking: NodeJS.Timeout | undefined;
		const take = (found: readonly Approved[], isListed: (tool: CatalogTool) => boolean): void => {
			const still = new Set(found.map(({ tool }) => tool));
			const free = waiting.filter(({ tool }) => isListed(tool) && !still.has(tool));
			waiting = found.map(({ tool, changed }) => ({ tool, changed }));
			// What waited for the file of the approvals to be readable again has been approved by nobody.
			const approved = wasUnreadable ? [] : free;
			wasUnreadable = quarantine.unreadable() !== undefined;
			if (free.length > 0) for (const listener of this.#approvalListeners) listener(approved);
		};
		const look = (): void => {
			const still = waiting.filter(({ tool }) => quarantine.isWaiting(tool));
			take(still, () => true);
		};
		const stopFollowing = this.#catalog.onChange(() => {
			clearInterval(looking);
			const listed = new Set(this.#catalog.tools);
			take(quarantine.waiting([...listed]), (tool) => listed.has(tool));
			if (waiting.length > 0) looking = setInterval(look, LOOK_MS).unref();
		});
		this.#stopLooking = () => {
			clearInterval(looking);
			stopFollowing();
		};
	}

	/** Calls the listener with the tools that have come to wait, each definition once. */
	onNews(listener: (held: readonly Quarantined[]) => void): void {
		if (this.#quarantine === undefined) return;
		const news = new NewlyHeld(this.#quarantine);
		this.#catalog.onChange(() => {
			const held = news.among(this.#catalog.tools);
			if (held.length > 0) listener(held);
		});
	}

	/** Logs a line for each server of which tools have come to wait. */
	logNews(log: (line: string) => void): void {
		this.onNews((held) => {
			for (const namespace of new Set(held.map(({ tool }) => tool.namespace)))
				log(`${namespace}: ${this.note(this.#catalog.toolsOf(namespace))}`);
		});
	}
}

function fingerprintsOf(tools: readonly CatalogTool[]): ReadonlySet<string> {
	return new Set(tools.map(({ fingerprint }) => fingerprint));
}

const MOST_KNOWN = 10_000;

/** Finds the tools that wait for approval and did not when it was last asked; each definition is told once. */
class NewlyHeld {
	readonly #quarantine: Quarantine;
	readonly #known = new Set<string>();

	constructor(quarantine: Quarantine) {
		this.#quarantine = quarantine;
	}

	among(tools: readonly CatalogTool[]): readonly Quarantined[] {
		return this.#quarantine.waiting(tools).filter(({ tool }) => {
			const key = `${tool.id} ${tool.fingerprint}`;
			if (this.#known.has(key)) return false;
			// A server may keep changing its tools; do not let this grow without limit.
			if (this.#known.size >= MOST_KNOWN) this.#known.clear();
			this.#known.add(key);
			return true;
		});
	}
}
