import { setTimeout as delay } from "node:timers/promises";
import { type Fault, FaultError } from "../fault/fault.ts";
import { makeFault } from "../fault/faultTable.ts";
import { toFault } from "../fault/toFault.ts";
import { readTerms, type Terms } from "../host/calls/contractBook.ts";
import { type Catalogue, findNewRefusal, readCatalogue } from "../host/lists/catalogue.ts";
import type { Parts } from "../host/parts.ts";
import type { SavedRequest } from "../host/session/savedRequests.ts";
import type { Session } from "../host/session/session.ts";
import { isBehind, type RestorePolicy, restoreSession, warmUpWorker } from "../host/session/warmUp.ts";
import type { ContractDeclarations } from "../host/settings/contractFile.ts";
import type { WorkerCommand } from "../host/worker/spawnWorker.ts";
import type { Worker } from "../host/worker/worker.ts";
import type { RolloutStep } from "../telemetry/healthBoard.ts";

/** A warmed-up green worker, ready to take over. */
export type Candidate = {
	readonly worker: Worker;
	/** What it offers; undefined while the client has no session. */
	catalogue: Catalogue | undefined;
	/** It has been given the client's session, handshake and all; false while there is none. */
	isOpen: boolean;
	/** The session state it has been given so far. */
	readonly said: Set<SavedRequest>;
	/** Requests that green refused and the session can go on without. Blue may still have them. */
	readonly refused: Map<SavedRequest, Fault>;
	readonly policy: RestorePolicy;
	/** Gives it the client's session, if there is one, and reads what it offers. */
	readonly open: (left: () => number) => Promise<void>;
};

/** Without a client session there is no handshake to check, so the candidate must at least stay alive this long. */
const ALIVE_MS = 250;
const INITIALIZED_MS = 1_000;

/** Starts green beside blue and warms it up without the client noticing. On failure it rejects and stops green. */
export async function prepareCandidate(
	parts: Parts,
	command: WorkerCommand,
	contracts: ContractDeclarations,
	step: (step: RolloutStep) => void,
): Promise<Candidate> {
	const { supervisor, session, settings, lists, book } = parts;
	const until = performance.now() + settings.rollouts.warmUpMs;
	const left = (): number => Math.max(1, until - performance.now());
	step("starting");
	const worker = await supervisor.launch(command, true);
	const said = new Set<SavedRequest>();
	const refused = new Map<SavedRequest, Fault>();
	let terms: Terms | undefined;
	const policy: RestorePolicy = {
		refused: collectRefusals(refused, session),
		// What it promises about the journaled calls is known only when it has listed its tools.
		isWithheld: (saved) => {
			const call = session.journaledCall(saved);
			return call !== undefined && (terms === undefined || book.forbidsJournaled(call, terms));
		},
	};
	const open: Candidate["open"] = async (left) => {
		// Asked first, since the client may begin its session meanwhile.
		candidate.isOpen = session.isOpen;
		step("handshake");
		await warmUpWorker(worker, session, left(), said, policy);
		const hasLists = candidate.isOpen && settings.privateWorker === undefined;
		if (!hasLists) await delay(ALIVE_MS);
		if (session.era === "modern") await discover(worker, session, left());
		if (hasLists && session.journaled().length > 0) {
			terms = readTerms(contracts, (await readCatalogue(worker, session, left())).tools);
			await restoreSession(worker, session, said, left, policy);
		}
		step("comparing");
		candidate.catalogue = hasLists ? await readCatalogue(worker, session, left()) : undefined;
		terms = readTerms(contracts, candidate.catalogue?.tools ?? []);
		const refusal = candidate.catalogue && findNewRefusal(lists.catalogue, candidate.catalogue);
		if (refusal !== undefined) throw new FaultError(refusal);
		alive(worker);
	};
	const candidate: Candidate = { worker, catalogue: undefined, isOpen: false, said, refused, policy, open };
	try {
		await open(left);
		return candidate;
	} catch (error) {
		await worker.end();
		const fault = worker.verdict ?? toFault(error, worker.generation);
		throw new CandidateError(fault, worker.stderr.lines);
	}
}

/** What the candidate printed last is for the operator only, since it may quote a secret. */
export class CandidateError extends FaultError {
	readonly stderr: readonly string[];

	constructor(fault: Fault, stderr: readonly string[]) {
		super(fault);
		this.stderr = stderr;
	}
}

/**
 * Waits until a rollback is over, the serving worker holds no call that changes its state and green has received all
 * changes, or the whole session if it has begun only since. Returns in the same turn in which all become true, so that
 * nothing can happen before the switch.
 */
export async function waitForQuiet(
	parts: Parts,
	candidate: Candidate,
	step: (step: RolloutStep) => void,
): Promise<void> {
	const { session, book, settings, roster, replacement } = parts;
	const { worker, said, policy } = candidate;
	const until = performance.now() + settings.rollouts.switchMs;
	const left = (): number => Math.max(1, until - performance.now());
	// Without a handshake of its own it would refuse whatever the client asks of it.
	const isUnopened = (): boolean => session.isOpen && !candidate.isOpen;
	step("waiting");
	for (;;) {
		if (isUnopened()) {
			await awaitInitialized(session);
			await candidate.open(left);
			step("waiting");
		}
		if (isBehind(session, said, policy)) {
			step("restoring");
			await restoreSession(worker, session, said, left, policy);
			step("waiting");
		}
		alive(worker);
		const busy = (roster.active?.calls.values() ?? []).some((call) => book.changesSession(call));
		if (!busy && !replacement.rollingBack && !isUnopened() && !isBehind(session, said, policy)) return;
		if (performance.now() > until) {
			const what = replacement.rollingBack
				? "the release before was still being brought up to date"
				: "calls that change the session were still in flight";
			const detail = `${what} after ${settings.rollouts.switchMs} ms`;
			throw new FaultError(makeFault("switch_deadline", { detail, generation: worker.generation }));
		}
		await delay(10);
	}
}

/** Clients say at once that their session has begun, and servers refuse requests before that. */
async function awaitInitialized(session: Session): Promise<void> {
	const until = performance.now() + INITIALIZED_MS;
	while (session.era !== "modern" && session.initialized === undefined && performance.now() < until) await delay(10);
}

/** A release that lacks a resource must not fail because a client subscribed to it. */
function collectRefusals(
	refused: Map<SavedRequest, Fault>,
	session: Session,
): (saved: SavedRequest, fault: Fault) => boolean {
	return (saved, fault) => {
		if (!session.isDispensable(saved)) return false;
		refused.set(saved, fault);
		return true;
	};
}

function alive(worker: Worker): void {
	if (!worker.over) return;
	const fault = makeFault("worker_exited", {
		detail: "it ended during its warm-up",
		generation: worker.generation,
	});
	throw new FaultError(worker.verdict ?? fault);
}

/** Checks that a modern server responds, since that era has no handshake. */
async function discover(worker: Worker, session: Session, timeoutMs: number): Promise<void> {
	const { envelope } = await worker.askMethod("server/discover", session.claiming({}), timeoutMs);
	if (envelope.kind === "response") return;
	const detail = "server/discover was refused";
	throw new FaultError(makeFault("bad_handshake", { detail, generation: worker.generation }));
}
