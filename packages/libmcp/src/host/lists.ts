import { toFault } from "../fault/toFault.ts";
import { type Catalogue, changedLists, readCatalogue } from "./catalogue.ts";
import { announceChanges } from "./listChanges.ts";
import { onceMore } from "./onceMore.ts";
import type { Parts } from "./parts.ts";
import { unknownTools } from "./unknownTools.ts";
import type { Worker } from "./worker.ts";

const RELEARN_MS = 1_000;

/** Reads and remembers the lists (tools, prompts, resources) of the serving worker. */
export class Lists {
	readonly #parts: Parts;
	/** Undefined until it has been read. */
	catalogue: Catalogue | undefined;
	/** The worker whose lists the catalogue holds. */
	#source: Worker | undefined;
	/** What the contracts say of tools that are not in it. */
	unknownTools: readonly string[] = [];
	readonly #warned: Set<string> = new Set();
	/** The worker that has told the client itself of the change to be read next. */
	#told: Worker | undefined;
	#relearnTimer: NodeJS.Timeout | undefined;
	#relearnedAt = Number.NEGATIVE_INFINITY;
	/** Reads the active worker's lists again. */
	readonly refresh: () => Promise<void> = onceMore(() => this.#read());

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** The worker announced a change of its tools itself, so the client knows. Rate-limited, however often it does. */
	relearn(worker: Worker): void {
		this.#told = worker;
		this.#relearnTimer ??= setTimeout(
			() => {
				this.#relearnTimer = undefined;
				this.#relearnedAt = performance.now();
				void this.refresh();
			},
			Math.max(0, this.#relearnedAt + RELEARN_MS - performance.now()),
		);
		this.#relearnTimer.unref();
	}

	/** False for a worker that takes over and may only be setting up: its lists are compared first, and differences told. */
	mayAnnounce(worker: Worker): boolean {
		const known = this.catalogue === undefined || this.#source === worker;
		if (!known) void this.refresh();
		return known;
	}

	learned(catalogue: Catalogue, source?: Worker): void {
		const { session, book, settings } = this.#parts;
		this.catalogue = catalogue;
		this.#source = source;
		book.learn(catalogue.tools);
		session.journalEarly((call) => book.journalKey(call));
		this.unknownTools = unknownTools(settings.contracts, catalogue.tools, settings.contractSource);
		this.#warn();
	}

	stop(): void {
		clearTimeout(this.#relearnTimer);
		this.#relearnTimer = undefined;
	}

	/** Once each, however often the lists are read. */
	#warn(): void {
		for (const warning of this.unknownTools) {
			if (this.#warned.has(warning)) continue;
			this.#warned.add(warning);
			process.stderr.write(`[${this.#parts.settings.name}] ${warning}\n`);
		}
	}

	/** Tells the client what has changed since it could last look. */
	async #read(): Promise<void> {
		const { session, settings, supervisor, record } = this.#parts;
		const worker = supervisor.active;
		const settled = session.era === "modern" ? session.modernMeta !== undefined : worker?.toldInitialized === true;
		if (worker?.ready !== true || !settled || settings.privateWorker !== undefined) return;
		const before = this.catalogue;
		const told = this.#told === worker;
		this.#told = undefined;
		try {
			const after = await readCatalogue(worker, session, settings.rollouts.warmUpMs);
			if (supervisor.active !== worker) return;
			this.learned(after, worker);
			if (before !== undefined && !told) announceChanges(this.#parts, changedLists(before, after));
		} catch (error) {
			if (!worker.gone) record.fault(toFault(error, worker.generation));
			// There is nothing to compare: what it announces is passed on.
			this.#source = worker;
		}
	}
}
