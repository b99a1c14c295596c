import { setTimeout as delay } from "node:timers/promises";
import { type Fault, FaultError } from "../../fault/fault.ts";
import { type FaultCode, makeFault } from "../../fault/faultTable.ts";
import { replaceId } from "../../wire/encodeFrame.ts";
import { readSpan } from "../../wire/members.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import type { PrivateAnswer } from "../worker/ownRequests.ts";
import type { Worker } from "../worker/worker.ts";
import type { SavedRequest } from "./savedRequests.ts";
import type { Negotiated, Session } from "./session.ts";

/** How much of a server's name or message is shown in a fault. */
const MOST_SHOWN = 200;

/** Brings a new worker to the session state that the client expects; rejects with a fault when that fails. */
export async function warmUpWorker(
	worker: Worker,
	session: Session,
	timeoutMs: number,
	said: Set<SavedRequest>,
	policy: RestorePolicy,
): Promise<void> {
	const until = performance.now() + timeoutMs;
	const left = (): number => Math.max(1, until - performance.now());
	if (session.seed !== undefined && session.negotiated !== undefined) {
		const answer = await say(worker, "initialize", session.seed, left());
		sameSession(worker, session.negotiated, readNegotiated(answer));
		if (session.initialized !== undefined) {
			worker.send(session.initialized);
			worker.toldInitialized = true;
		}
	}
	await restoreSession(worker, session, said, left, policy);
	await awaitRoots(worker, session, left());
}

export type RestorePolicy = {
	/** Called when a worker refuses a saved request; returns true when the session can go on without it. */
	readonly refused?: (saved: SavedRequest, fault: Fault) => boolean;
	/** Whether the worker must not be given the request. */
	readonly isWithheld?: (saved: SavedRequest) => boolean;
};

/** Repeats the saved requests that this worker has not had yet and ends subscriptions that are over; updates `said`. */
export async function restoreSession(
	worker: Worker,
	session: Session,
	said: Set<SavedRequest>,
	left: () => number,
	{ refused, isWithheld }: RestorePolicy = {},
): Promise<void> {
	await endSubscriptions(worker, session, said, left);
	for (const saved of session.saved()) {
		if (said.has(saved) || isWithheld?.(saved) === true) continue;
		said.add(saved);
		const what = describeRequest(saved);
		const { frame, envelope } = await say(worker, what, saved, left());
		if (envelope.kind === "response" && !envelope.result.isError) continue;
		const why = envelope.kind === "response" ? undefined : readSpan(frame, envelope.error.message);
		const because = typeof why === "string" ? `: ${why.slice(0, MOST_SHOWN)}` : "";
		const refusing = refusal(worker, "restore_refused", `${what}, saved of the session, was refused${because}`);
		if (refused?.(saved, refusing.fault) !== true) throw refusing;
	}
}

/** Whether the session has changed since the worker was given the requests in `said`. */
export function isBehind(session: Session, said: ReadonlySet<SavedRequest>, { isWithheld }: RestorePolicy): boolean {
	const saved = new Set(session.saved());
	for (const one of said) if (!saved.has(one) && session.ended(one) !== undefined) return true;
	return [...saved].some((one) => !said.has(one) && isWithheld?.(one) !== true);
}

/** Ends subscriptions that this worker still has and the client has ended on another worker. */
async function endSubscriptions(
	worker: Worker,
	session: Session,
	said: Set<SavedRequest>,
	left: () => number,
): Promise<void> {
	const saved = new Set(session.saved());
	for (const one of said) {
		const uri = saved.has(one) ? undefined : session.ended(one);
		if (uri === undefined) continue;
		said.delete(one);
		await worker.askMethod("resources/unsubscribe", { uri }, left());
	}
}

/** What an `initialize` or `server/discover` answer promises. */
export function readNegotiated({ frame, envelope }: PrivateAnswer): Negotiated | undefined {
	if (envelope.kind !== "response") return undefined;
	const result = readSpan(frame, envelope.result);
	if (typeof result !== "object" || result === null || !("capabilities" in result)) return undefined;
	const { capabilities } = result;
	if (typeof capabilities !== "object" || capabilities === null) return undefined;
	const version = "protocolVersion" in result ? result.protocolVersion : "";
	if (typeof version !== "string") return undefined;
	return { protocolVersion: version, capabilities: { ...capabilities } };
}

/** The request's method and what it is about, for a fault. */
function describeRequest({ frame }: SavedRequest): string {
	const envelope = scanEnvelope(frame);
	if (envelope.kind !== "request") return "a request";
	const about = readSpan(frame, envelope.params?.uri ?? envelope.params?.name);
	return typeof about === "string" ? `${envelope.method} ${about.slice(0, MOST_SHOWN)}` : envelope.method;
}

function say(worker: Worker, what: string, { frame, idSpan }: SavedRequest, timeoutMs: number): Promise<PrivateAnswer> {
	return worker.ask(what, (id) => worker.send(replaceId(frame, idSpan, id)), timeoutMs);
}

function sameSession(worker: Worker, before: Negotiated, now: Negotiated | undefined): void {
	if (now === undefined) throw refusal(worker, "bad_handshake", "initialize was not answered with a session");
	if (now.protocolVersion !== before.protocolVersion) {
		throw refusal(
			worker,
			"version_changed",
			`protocolVersion: expected ${before.protocolVersion}, got ${now.protocolVersion}`,
		);
	}
	const dropped = Object.keys(before.capabilities).find((name) => !Object.hasOwn(now.capabilities, name));
	if (dropped !== undefined) throw refusal(worker, "capability_dropped", `capability ${dropped} is gone`);
}

function refusal(worker: Worker, code: FaultCode, detail: string): FaultError {
	return new FaultError(makeFault(code, { detail, generation: worker.generation }));
}

const LONGEST_MS = 2_000;
const POLL_MS = 5;
const PING_MS = 1_000;
const SETTLE_MS = 50;

/**
 * Waits until a new worker has the client's roots. A server that uses roots asks for them when its session begins and
 * refuses calls until it has them. Clients allow for that when they connect, but calls queued for a new worker would
 * arrive too soon.
 */
async function awaitRoots(worker: Worker, session: Session, timeoutMs: number): Promise<void> {
	if (!(session.asksForRoots && worker.toldInitialized)) return;
	const until = performance.now() + Math.min(LONGEST_MS, timeoutMs);
	while (!(worker.roots === "given" || worker.over) && performance.now() < until) await delay(POLL_MS);
	if (worker.over) return;
	session.asksForRoots = worker.roots !== "not asked";
	if (worker.roots !== "given") return;
	// The ping's answer shows that the worker has read the roots; the delay lets it look at each on disk.
	await worker.askMethod("ping", undefined, PING_MS).catch(() => undefined);
	await delay(SETTLE_MS);
}
