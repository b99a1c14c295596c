/** The kinds of timeline entries, in the order of the page's filters. */
export const TIMELINE_KINDS = ["fault", "restart", "replay", "rollout", "quarantine", "connection", "call"] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

export type TimelineEntry = {
	readonly id: number;
	readonly at: number;
	readonly kind: TimelineKind;
	readonly server: string;
	readonly level: "info" | "good" | "warn" | "bad";
	readonly summary: string;
	/** All details. */
	readonly record: Readonly<Record<string, unknown>>;
};

type Shown = Partial<Pick<TimelineEntry, "summary" | "level">>;

export type TimelineFilter = {
	readonly kinds?: readonly string[];
	readonly server?: string;
	readonly text?: string;
	/** Only entries older than this id. */
	readonly before?: number;
	readonly limit?: number;
};

export type TimelinePage = {
	readonly entries: readonly TimelineEntry[];
	readonly total: number;
	/** The `before` of the next page. */
	readonly next?: number;
};

const MAX_ENTRIES = 10_000;
/** A fault carries its server's last output, so a few thousand of them could fill the memory. */
const MAX_CHARS = 32 * 1024 * 1024;
/** The limits may be exceeded by this share, so that the list is not trimmed with every entry. */
const SLACK = 0.1;
const DEFAULT_LIMIT = 200;

/** What happened to servers and tools; the oldest entries are dropped. */
export class Timeline {
	readonly #entries: TimelineEntry[] = [];
	#chars = 0;
	#nextId = 1;

	add(entry: Omit<TimelineEntry, "id" | "at"> & { readonly at?: number }): TimelineEntry {
		const added = { at: Date.now(), ...entry, id: this.#nextId++ };
		this.#entries.push(added);
		this.#chars += charsOf(added);
		if (this.#isOver(1 + SLACK)) this.#trim();
		return added;
	}

	/** Adds details to an entry, and changes what it shows if that is given. */
	extend(id: number, record: Readonly<Record<string, unknown>>, shown: Shown = {}): TimelineEntry | undefined {
		const place = this.#entries.findIndex((entry) => entry.id === id);
		const known = this.#entries[place];
		if (known === undefined) return undefined;
		const extended = { ...known, ...shown, record: { ...known.record, ...record } };
		this.#entries[place] = extended;
		this.#chars += charsOf(extended) - charsOf(known);
		return extended;
	}

	get(id: number): TimelineEntry | undefined {
		return this.#entries.find((entry) => entry.id === id);
	}

	/** Newest first. */
	page({ kinds, server, text, before, limit = DEFAULT_LIMIT }: TimelineFilter): TimelinePage {
		const wanted = text?.toLowerCase();
		const found = this.#entries.filter(
			(entry) =>
				(kinds === undefined || kinds.includes(entry.kind)) &&
				(server === undefined || entry.server === server) &&
				(wanted === undefined || `${entry.server} ${entry.summary}`.toLowerCase().includes(wanted)),
		);
		const older = before === undefined ? found : found.filter(({ id }) => id < before);
		const entries = older.slice(-limit).reverse();
		const last = entries.at(-1);
		return {
			entries,
			total: found.length,
			...(older.length > entries.length && last !== undefined && { next: last.id }),
		};
	}

	#isOver(share: number): boolean {
		return this.#entries.length > MAX_ENTRIES * share || this.#chars > MAX_CHARS * share;
	}

	#trim(): void {
		this.#entries.reverse();
		while (this.#isOver(1)) this.#chars -= charsOf(this.#entries.pop());
		this.#entries.reverse();
	}
}

function charsOf(entry: TimelineEntry | undefined): number {
	return entry === undefined ? 0 : JSON.stringify(entry).length;
}
