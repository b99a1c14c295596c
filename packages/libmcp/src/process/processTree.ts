import type { EndedProcess, KillTarget } from "./killResult.ts";
import { markedAmong, type ProcessEntry, processTable } from "./processTable.ts";

export type TreeMember = ProcessEntry & { readonly place: EndedProcess["place"] };

/**
 * Everything alive that belongs to the target: its leader, its group, the processes that carry its mark, those seen
 * before, and all their descendants. Nothing older than the leader can be a descendant of it.
 */
export function treeMembers(target: KillTarget, known: Iterable<TreeMember> = []): readonly TreeMember[] {
	const table = processTable();
	const leader = table.find((entry) => entry.pid === target.pid && isTarget(entry, target));
	const since = target.startedAt ?? leader?.startedAt ?? Number.POSITIVE_INFINITY;
	const candidates = table.filter((entry) => entry.startedAt >= since && entry.pid !== process.pid);
	const seen = new Map([...known].map((entry) => [entry.pid, entry.startedAt]));
	const members = new Set(
		candidates.filter((entry) => entry.group === target.pid || seen.get(entry.pid) === entry.startedAt),
	);
	if (leader !== undefined) members.add(leader);
	if (target.mark !== undefined) for (const entry of markedAmong(candidates, target.mark)) members.add(entry);
	addDescendants(members, candidates);
	return [...members].map((entry) => ({ ...entry, place: placeOf(entry, target) }));
}

function isTarget(entry: ProcessEntry, target: KillTarget): boolean {
	return target.startedAt === undefined || entry.startedAt === target.startedAt;
}

function addDescendants(members: Set<ProcessEntry>, candidates: readonly ProcessEntry[]): void {
	const children = Map.groupBy(candidates, (entry) => entry.parent);
	// A Set iterates over what is added to it on the way, so this walks every generation.
	for (const member of members) for (const child of children.get(member.pid) ?? []) members.add(child);
}

function placeOf(entry: ProcessEntry, target: KillTarget): EndedProcess["place"] {
	if (entry.pid === target.pid) return "leader";
	return entry.group === target.pid ? "group" : "stray";
}
