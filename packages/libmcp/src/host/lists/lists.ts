import { toFault } from "../../fault/toFault.ts";
import { writeStderr } from "../../process/ownProcess.ts";
import { resolvePointer } from "../../replay/jsonPointer.ts";
import { META } from "../../server/protocol/protocol.ts";
import { readSpan } from "../../wire/members.ts";
import { toJsonId } from "../../wire/requestId.ts";
import type { ContractBook } from "../calls/contractBook.ts";
import type { Ledger } from "../calls/ledger.ts";
import type { Recovery } from "../calls/recovery.ts";
import type { Port } from "../client/clientPort.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../settings/settings.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import type { Roster } from "../state/roster.ts";
import type { Call } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import { type Catalogue, type CatalogueKind, findChangedLists, findNewRefusal, readCatalogue } from "./catalogue.ts";
import { warnOfUnknownTools, warnOfUnreadableEffects } from "./contractWarnings.ts";
import { ChangePacer, runOnceMore } from "./pacing.ts";

const RELEARN_MS = 1_000;
/** A refusal may pass, so the lists are read again after 1, 2, 4 and 8 seconds. */
const MOST_RETRIES = 4;
/** A server that names its tools anew in every list must not fill the log. */
const MOST_WARNINGS = 100;

/** What the lists need of the host. */
export type ListParts = Announcing & {
	readonly settings: Settings;
	readonly record: Pick<HostRecord, "fault">;
	readonly roster: Pick<Roster, "active">;
	readonly session: Session;
	readonly book: ContractBook;
	readonly recovery: Pick<Recovery, "decideRest">;
};

/** What an announcement needs of the host. */
export type Announcing = {
	readonly port: Pick<Port, "notify">;
	readonly session: Pick<Session, "era">;
	readonly ledger: Pick<Ledger, "calls">;
};

/** Reads and remembers the lists (tools, prompts, resources) of the serving worker. */
export class Lists {
	readonly #parts: ListParts;
	/** Undefined until the lists have been read. */
	catalogue: Catalogue | undefined;
	/** The worker whose lists the catalogue holds. */
	#source: Worker | undefined;
	/** About contracts for tools that the catalogue does not have, and about declarations in it that cannot be read. */
	warnings: readonly string[] = [];
	readonly #warned: Set<string> = new Set();
	/** Limits the rate at which the workers' own announcements are passed on. */
	readonly pacer: ChangePacer = new ChangePacer();
	/** The worker that announced the latest change to the client itself, so the next read must not announce it again. */
	#told: Worker | undefined;
	#relearnTimer: NodeJS.Timeout | undefined;
	#relearnedAt = Number.NEGATIVE_INFINITY;
	#retryTimer: NodeJS.Timeout | undefined;
	/** How often in succession the source has refused a list. */
	#refusals = 0;
	/** Reads the active worker's lists again, then decides the calls that waited for them. */
	readonly refresh: () => Promise<void> = runOnceMore(() => this.#read());

	constructor(parts: ListParts) {
		this.#parts = parts;
	}

	/** Reads the lists again, at a limited rate, after a worker announced a change of its tools itself. */
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

	/** False for a worker that has just taken over: its lists are compared first, and only differences are announced. */
	mayAnnounce(worker: Worker): boolean {
		const known = this.catalogue === undefined || this.#source === worker;
		if (!known) void this.refresh();
		return known;
	}

	learned(catalogue: Catalogue, source?: Worker): void {
		const { session, book, settings } = this.#parts;
		this.catalogue = catalogue;
		this.#source = source;
		if (catalogue.refused?.tools !== undefined) {
			// The tools that were not listed stay unknown: what is known of a tool decides whether its calls may run again.
			this.learnedPage(catalogue.tools);
			return;
		}
		book.learn(catalogue.tools);
		this.#judge();
		if (session.early.some((call) => book.mayFillMemory(call))) session.lostMemory.fill();
		session.journalEarly((call) => book.journalEntry(call));
		this.warnings = [
			...warnOfUnknownTools(book.terms.declared, catalogue.tools, settings.contractSource),
			...warnOfUnreadableEffects(book.terms.declared, catalogue.tools),
		];
		this.#warn();
	}

	/** Learns from one page of the active worker's tool list. */
	learnedPage(tools: readonly unknown[]): void {
		this.#parts.book.learnPage(tools);
		this.#judge();
	}

	stop(): void {
		this.pacer.stop();
		clearTimeout(this.#relearnTimer);
		this.#relearnTimer = undefined;
		this.#stopRetry();
	}

	/**
	 * A call that was sent before its tool was listed is held to the first list that has it; a journaled call is given up
	 * when its tool no longer promises what the journal needs.
	 */
	#judge(): void {
		const { ledger, book, session } = this.#parts;
		for (const call of ledger.calls()) if (call.dispatched) call.promised ??= book.promised(call);
		for (const saved of session.journaled()) {
			const call = session.journaledCall(saved);
			if (call !== undefined && book.forbidsJournaled(call)) session.giveUp(saved);
		}
	}

	/** Prints each warning once, however often the lists are read. */
	#warn(): void {
		for (const warning of this.warnings) {
			if (this.#warned.has(warning) || this.#warned.size >= MOST_WARNINGS) continue;
			this.#warned.add(warning);
			writeStderr(`[${this.#parts.settings.name}] ${warning}\n`);
		}
	}

	async #read(): Promise<void> {
		const { session, settings, roster, recovery } = this.#parts;
		const worker = roster.active;
		if (worker?.ready !== true) return;
		const settled = session.era === "modern" ? session.modernMeta !== undefined : worker.toldInitialized;
		if (settled && settings.privateWorker === undefined) await this.#compare(worker);
		if (worker.ready && roster.active === worker && this.#retryTimer === undefined) recovery.decideRest();
	}

	/** Reads the lists and tells the client what has changed since the last read. */
	async #compare(worker: Worker): Promise<void> {
		const { session, settings, roster, record } = this.#parts;
		const before = this.catalogue;
		const told = this.#told === worker;
		this.#told = undefined;
		if (this.#source !== worker) this.#refusals = 0;
		this.#stopRetry();
		try {
			const after = await readCatalogue(worker, session, settings.rollouts.warmUpMs);
			if (roster.active !== worker) return;
			const refusal = findNewRefusal(before, after);
			// Lists that were read once say more than a refusal, which may pass.
			if (before === undefined || refusal === undefined) {
				this.learned(after, worker);
				if (before !== undefined && !told) announceChanges(this.#parts, findChangedLists(before, after));
			}
			// With no lists to compare, this worker's own announcements are passed on.
			this.#source = worker;
			if (refusal !== undefined) record.fault(refusal);
			if (refusal !== undefined || after.refused?.tools !== undefined) this.#retry(worker);
			else this.#refusals = 0;
		} catch (error) {
			if (!worker.gone) record.fault(toFault(error, worker.generation));
			this.#source = worker;
		}
	}

	#retry(worker: Worker): void {
		if (worker.gone || this.#refusals >= MOST_RETRIES) return;
		this.#retryTimer = setTimeout(
			() => {
				this.#retryTimer = undefined;
				void this.refresh();
			},
			RELEARN_MS * 2 ** this.#refusals++,
		);
		this.#retryTimer.unref();
	}

	#stopRetry(): void {
		clearTimeout(this.#retryTimer);
		this.#retryTimer = undefined;
	}
}

/** Tells the client that lists it may have read have changed. */
export function announceChanges({ port, session, ledger }: Announcing, changed: readonly CatalogueKind[]): void {
	for (const kind of changed) {
		const method = `notifications/${kind}/list_changed`;
		if (session.era !== "modern") {
			port.notify(method);
			continue;
		}
		// A modern client hears only about what it subscribed to, under the id of each subscription.
		for (const call of ledger.calls()) {
			if (listensTo(call, kind)) port.notify(method, { _meta: { [META.subscriptionId]: toJsonId(call.id) } });
		}
	}
}

function listensTo(call: Call, kind: CatalogueKind): boolean {
	if (!call.standing) return false;
	const params = readSpan(call.frame, call.envelope.params);
	return resolvePointer(params, `/notifications/${kind}ListChanged`) === true;
}
