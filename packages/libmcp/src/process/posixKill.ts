import { setTimeout as delay } from "node:timers/promises";
import { readErrorCode } from "../fault/thrown.ts";
import type { EndedProcess, KillFailure, KillResult, KillTarget } from "./killResult.ts";
import { type ProcessEntry, readProcessEntry, readProcessTable, readStartTime } from "./processTable.ts";

const FIRST_POLL_MS = 5;
const LAST_POLL_MS = 80;
/** A tree may fork faster than it is killed; after this many sweeps we report that it survived. */
const KILL_ROUNDS = 20;

/** Reading /proc needs a free file descriptor; wait this long for one. */
const LONGEST_BLIND_MS = 2_000;

export async function killPosixTree(target: KillTarget, graceMs: number): Promise<KillResult> {
	try {
		return await endTree(target, graceMs);
	} catch (error) {
		// Our own child's group can be killed without a look at /proc; the result reports processes that left the group.
		if (target.mark !== undefined) send(-target.pid, "SIGKILL", new Set());
		const detail = `processes cannot be looked at: ${error instanceof Error ? error.message : String(error)}`;
		const failure: KillFailure = { code: "kill_unavailable", pid: target.pid, detail };
		return { pid: target.pid, outcome: "failed", ended: [], survivors: [target.pid], failure };
	}
}

async function endTree(target: KillTarget, graceMs: number): Promise<KillResult> {
	const known = new Map<number, TreeMember>();
	const denied = new Set<number>();
	const ended: EndedProcess[] = [];

	// Only a complete look proves that nothing is left; an incomplete look is repeated a few times.
	const living = async (): Promise<readonly TreeMember[]> => {
		for (let pause = 1; ; pause *= 2) {
			try {
				const { members, complete } = lookAtTree(target, known.values());
				for (const member of members) known.set(member.pid, member);
				if (members.length > 0 || complete || pause > LAST_POLL_MS) return members;
			} catch (error) {
				if (pause > LONGEST_BLIND_MS) throw error;
			}
			await delay(pause);
		}
	};
	const collect = (by: EndedProcess["by"], alive: readonly TreeMember[]): void => {
		const still = new Set(alive.map((member) => member.pid));
		for (const member of known.values()) {
			if (still.has(member.pid)) continue;
			known.delete(member.pid);
			ended.push({ pid: member.pid, place: member.place, by });
		}
	};

	let alive = await living();
	if (alive.length === 0) return { pid: target.pid, outcome: "already_gone", ended: [], survivors: [] };
	signalTree(target, alive, "SIGTERM", denied);
	alive = await waitUntilGone(living, known, graceMs);
	collect("SIGTERM", alive);
	const forced = alive.length > 0;
	for (let round = 0; alive.length > 0 && round < KILL_ROUNDS; round++) {
		signalTree(target, alive, "SIGKILL", denied);
		alive = await waitUntilGone(living, known, LAST_POLL_MS);
		collect("SIGKILL", alive);
	}
	const survivors = alive.map((member) => member.pid);
	if (survivors.length === 0) return { pid: target.pid, outcome: forced ? "killed" : "terminated", ended, survivors };
	return { pid: target.pid, outcome: "failed", ended, survivors, failure: failureOf(target, survivors, denied) };
}

/** Polls the few known processes, which is cheap, and takes a full look once they are gone or time is up. */
async function waitUntilGone(
	living: () => Promise<readonly TreeMember[]>,
	known: ReadonlyMap<number, TreeMember>,
	limitMs: number,
): Promise<readonly TreeMember[]> {
	const deadline = performance.now() + limitMs;
	for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 2, LAST_POLL_MS)) {
		const left = deadline - performance.now();
		if (left <= 0) return living();
		await delay(Math.min(pause, left));
		if ([...known.values()].some((member) => readProcessEntry(member.pid)?.startedAt === member.startedAt)) continue;
		const alive = await living();
		if (alive.length === 0) return alive;
	}
}

function signalTree(
	target: KillTarget,
	alive: readonly TreeMember[],
	signal: "SIGTERM" | "SIGKILL",
	denied: Set<number>,
): void {
	// Signals the whole group, to reach members forked since the look, but only if the group is the tree's own.
	if (alive.some((member) => member.group === target.pid)) send(-target.pid, signal, denied);
	for (const member of alive) if (member.group !== target.pid) send(member.pid, signal, denied);
}

function send(pid: number, signal: "SIGTERM" | "SIGKILL", denied: Set<number>): void {
	try {
		process.kill(pid, signal);
	} catch (error) {
		const code = readErrorCode(error);
		if (code === undefined) throw error;
		// It ended between the look and the signal.
		if (code === "ESRCH") return;
		denied.add(Math.abs(pid));
	}
}

function failureOf(target: KillTarget, survivors: readonly number[], denied: ReadonlySet<number>): KillFailure {
	const list = survivors.join(", ");
	return denied.size > 0
		? { code: "kill_denied", pid: target.pid, detail: `not permitted to signal process ${list}` }
		: { code: "kill_survived", pid: target.pid, detail: `still alive after SIGKILL: process ${list}` };
}

type TreeMember = ProcessEntry & { readonly place: EndedProcess["place"] };

/** The processes seen alive, and whether all could be examined. */
type Look = { readonly members: readonly TreeMember[]; readonly complete: boolean };

/**
 * Every living process of the target: its leader, its group, processes that carry its mark, those seen before, and all
 * their descendants. A process older than the leader cannot be its descendant; if the leader's start is unknown, only
 * the mark decides.
 */
function lookAtTree(target: KillTarget, known: Iterable<TreeMember>): Look {
	const since = target.startedAt ?? readStartTime(target.pid);
	const { entries, complete } = readProcessTable(since ?? 0, target.mark);
	const others = entries.filter((entry) => entry.pid !== process.pid);
	const seen = new Map([...known].map((entry) => [entry.pid, entry.startedAt]));
	const inGroup = (entry: ProcessEntry): boolean => since !== undefined && entry.group === target.pid;
	const members = new Set<ProcessEntry>(
		others.filter(
			(entry) => entry.marked || inGroup(entry) || isLeader(entry, target) || seen.get(entry.pid) === entry.startedAt,
		),
	);
	addDescendants(members, others);
	return { members: [...members].map((entry) => ({ ...entry, place: placeOf(entry, target) })), complete };
}

function isLeader(entry: ProcessEntry, target: KillTarget): boolean {
	return entry.pid === target.pid && (target.startedAt === undefined || entry.startedAt === target.startedAt);
}

function addDescendants(members: Set<ProcessEntry>, candidates: readonly ProcessEntry[]): void {
	const children = Map.groupBy(candidates, (entry) => entry.parent);
	// Iterating a Set includes elements added on the way, so this visits every generation.
	for (const member of members) for (const child of children.get(member.pid) ?? []) members.add(child);
}

function placeOf(entry: ProcessEntry, target: KillTarget): EndedProcess["place"] {
	if (entry.pid === target.pid) return "leader";
	return entry.group === target.pid ? "group" : "stray";
}
