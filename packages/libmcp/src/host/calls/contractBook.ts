import { makeRoom } from "../../admission/boundedQueue.ts";
import type { DeadlineLimits } from "../../admission/deadline.ts";
import type { ReplayContract } from "../../replay/decide.ts";
import {
	AT_MOST_ONCE,
	type Effect,
	findMethodEffect,
	type Journal,
	REPLAY_SAFE,
	readToolEffect,
	resolveContract,
} from "../../replay/effect.ts";
import { resolvePointer } from "../../replay/jsonPointer.ts";
import type { JournalEntry } from "../session/session.ts";
import type { ContractDeclarations, Probe } from "../settings/contractFile.ts";
import type { PrivateWorker } from "../settings/options.ts";
import { type Call, readArguments, readExactArguments } from "../worker/call.ts";

const SESSION_METHODS: ReadonlySet<string> = new Set([
	"initialize",
	"logging/setLevel",
	"resources/subscribe",
	"resources/unsubscribe",
]);

/** The first requests to a server. It is silent while it starts, so only the limit on the whole call applies. */
export const OPENING_METHODS: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

/** Stays silent until the task has ended, so the inactivity limit does not apply. */
const WAITING_METHOD = "tasks/result";

/** Bounds memory when a server renames its tools in every list. Calls of a forgotten tool are never repeated. */
const MAX_TOOLS = 20_000;

const STRENGTH: Readonly<Record<ReplayContract, number>> = { never_replay: 0, probe_required: 1, convergent: 2 };

/** What a release promises about its calls, in the user's file and in its own lists as far as they are known. */
export type Terms = {
	readonly declared: ContractDeclarations;
	readonly tools: Map<string, Effect>;
	readonly isComplete: boolean;
};

/** Reads what a release promises from its tools; what an earlier release promised does not count for it. */
export function readTerms(declared: ContractDeclarations, tools: readonly unknown[]): Terms {
	const book = new ContractBook(declared, undefined, {});
	book.learn(tools);
	return book.terms;
}

/** Finds a call's contract: the user's file first, then the server's declaration, then the method's default. */
export class ContractBook {
	/** Of the release that serves. */
	terms: Terms;
	readonly #private: PrivateWorker | undefined;
	readonly #limits: DeadlineLimits;

	constructor(declared: ContractDeclarations, privateWorker: PrivateWorker | undefined, limits: DeadlineLimits) {
		this.terms = { declared, tools: new Map(), isComplete: false };
		this.#private = privateWorker;
		this.#limits = limits;
	}

	/** Reads the declarations from the server's newest complete tool list. */
	learn(tools: readonly unknown[]): void {
		this.terms = { ...this.terms, tools: new Map(), isComplete: true };
		this.learnPage(tools);
	}

	/** Reads the declarations from one page of a tool list on its way to the client. */
	learnPage(tools: readonly unknown[]): void {
		for (const tool of tools.slice(-MAX_TOOLS)) {
			const name = resolvePointer(tool, "/name");
			if (typeof name !== "string") continue;
			this.terms.tools.delete(name);
			makeRoom(this.terms.tools, MAX_TOOLS);
			this.terms.tools.set(name, readToolEffect(tool));
		}
	}

	/** False while the server has not yet listed the call's tool. */
	knows(call: Call): boolean {
		if (call.tool === undefined || this.terms.isComplete || this.#private !== undefined) return true;
		return this.terms.tools.has(call.tool) || own(this.terms.declared.tools, call.tool) !== undefined;
	}

	/** By the weaker of what the tool promised when the call was sent and what it promises now. */
	contract(call: Call): ReplayContract {
		const contract = contractUnder(this.promised(call) ?? AT_MOST_ONCE, call);
		// Without a probe nobody can tell whether the call took effect, so it must not be repeated.
		return contract === "probe_required" && this.probe(call) === undefined ? "never_replay" : contract;
	}

	/** What `Call.promised` becomes if the call is sent now: a release's promise says nothing of what another one did. */
	promised(call: Call): Effect | undefined {
		const then = call.promised;
		const now = this.knows(call) ? this.#effect(call) : then;
		if (then === undefined || now === undefined || then === now) return now;
		return STRENGTH[contractUnder(now, call)] < STRENGTH[contractUnder(then, call)] ? now : then;
	}

	/** The probe to ask about this call. Without a value for each of its arguments it would answer about something else. */
	probe(call: Call): Probe | undefined {
		const probe = call.tool === undefined ? undefined : own(this.terms.declared.tools, call.tool)?.probe;
		if (probe === undefined) return undefined;
		const given = readArguments(call);
		const isAskable = Object.values(probe.arguments).every(
			(pointer) => (resolvePointer(given, pointer) ?? null) !== null,
		);
		return isAskable ? probe : undefined;
	}

	/** How the call is journaled; undefined if it changes nothing in the worker's memory. */
	journalEntry(call: Call): JournalEntry | undefined {
		if (call.tool === undefined) return undefined;
		const effect = this.#effect(call);
		if (effect.journal === undefined) return undefined;
		const key = JSON.stringify([call.tool, journalValue(effect.journal, call)]);
		return { key, mayRepeat: contractUnder(effect, call) === "convergent" };
	}

	/** Whether a release knows the call's tool as one whose calls it need not or must not be given again. */
	forbidsJournaled(call: Call, terms: Terms = this.terms): boolean {
		const effect = call.tool === undefined ? undefined : effectUnder(terms, call.tool);
		return effect !== undefined && (effect.journal === undefined || contractUnder(effect, call) !== "convergent");
	}

	/** Whether a successful call may have left something in the worker's memory that nothing gives to the next worker. */
	mayFillMemory(call: Call): boolean {
		if (call.tool === undefined || this.#private !== undefined) return false;
		return this.contract(call) !== "convergent";
	}

	/** True when the call changes state in the worker's memory that the next worker must be given. */
	changesSession(call: Call): boolean {
		return SESSION_METHODS.has(call.method) || !this.knows(call) || this.journalEntry(call) !== undefined;
	}

	deadlines(call: Call): DeadlineLimits {
		if (call.standing) return {};
		if (OPENING_METHODS.has(call.method) || call.method === WAITING_METHOD) return { hardMs: this.#limits.hardMs ?? 0 };
		const mine = call.tool === undefined ? undefined : own(this.terms.declared.tools, call.tool);
		if (mine?.deadlineMs === undefined && mine?.inactivityMs === undefined) return this.#limits;
		return {
			...this.#limits,
			...(mine.deadlineMs === undefined ? {} : { hardMs: mine.deadlineMs }),
			...(mine.inactivityMs === undefined ? {} : { inactivityMs: mine.inactivityMs }),
		};
	}

	/** Whether there are tools whose in-memory state no contract covers. */
	get hasUndeclaredTools(): boolean {
		return [...this.terms.tools].some(
			([name, effect]) => effect === AT_MOST_ONCE && own(this.terms.declared.tools, name) === undefined,
		);
	}

	#effect(call: Call): Effect {
		if (this.#private !== undefined) return this.#privateEffect(this.#private, call);
		if (call.tool === undefined) return findMethodEffect(call.method);
		return effectUnder(this.terms, call.tool) ?? AT_MOST_ONCE;
	}

	#privateEffect(table: PrivateWorker, call: Call): Effect {
		const tool = call.tool === undefined ? undefined : own(table.tools ?? {}, call.tool);
		const recovery = tool ?? own(table.methods, call.method) ?? table.otherMethods;
		return recovery === "replay_safe" ? REPLAY_SAFE : AT_MOST_ONCE;
	}
}

function effectUnder({ declared, tools }: Terms, tool: string): Effect | undefined {
	return own(declared.tools, tool)?.effect ?? tools.get(tool);
}

function contractUnder({ recovery }: Effect, call: Call): ReplayContract {
	return resolveContract(recovery, () => readArguments(call));
}

function journalValue(journal: Journal, call: Call): unknown {
	return journal.key === undefined ? null : (resolvePointer(readExactArguments(call), journal.key) ?? null);
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}
