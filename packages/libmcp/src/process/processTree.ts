import type { EndedProcess, KillTarget } from "./killResult.ts";
import type { ProcessEntry } from "./processRow.ts";
import { processTable, startOf } from "./processTable.ts";

export type TreeMember = ProcessEntry & { readonly place: EndedProcess["place"] };

/** The processes seen alive, and whether all could be examined. */
export type Look = { readonly members: readonly TreeMember[]; readonly complete: boolean };

/**
 * Every living process of the target: its leader, its group, processes that carry its mark, those seen before, and all
 * their descendants. A process older than the leader cannot be its descendant; if the leader's start is unknown, only
 * the mark decides.
 */
export function lookAtTree(target: KillTarget, known: Iterable<TreeMember>): Look {
	const since = target.startedAt ?? startOf(target.pid);
	const { entries, complete } = processTable(since ?? 0, target.mark);
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
