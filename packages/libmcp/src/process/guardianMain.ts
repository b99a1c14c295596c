// Started when a host is gone: its standard input names the process trees that the host left behind. On Windows it is
// started while the host lives, and the first of them are its arguments.
import { readFileSync } from "node:fs";
import { DEFAULT_GRACE_MS, type KillTarget } from "./killResult.ts";
import { killTree } from "./killTree.ts";

/** Nobody is left to answer, so a long grace would only keep orphans longer. */
const MOST_GRACE_MS = 1_500;

type Guarded = KillTarget & { readonly graceMs: number };

const left = new Map<number, Guarded>();
for (const line of [...process.argv.slice(2), ...readFileSync(0, "utf8").split("\n")]) {
	if (line === ".") left.clear();
	const entry = parse(line);
	if (entry === undefined) continue;
	if ("released" in entry) left.delete(entry.released);
	else left.set(entry.pid, entry);
}
void Promise.all(
	[...left.values()].map((target) => killTree(target, { graceMs: Math.min(target.graceMs, MOST_GRACE_MS) })),
);

/** A host killed while it wrote leaves half a line, which names nobody. */
function parse(line: string): Guarded | { readonly released: number } | undefined {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return undefined;
	}
	if (typeof value !== "object" || value === null) return undefined;
	if ("released" in value && typeof value.released === "number") return { released: value.released };
	if (!("pid" in value) || typeof value.pid !== "number") return undefined;
	return {
		pid: value.pid,
		graceMs: "graceMs" in value && typeof value.graceMs === "number" ? value.graceMs : DEFAULT_GRACE_MS,
		...("mark" in value && typeof value.mark === "string" ? { mark: value.mark } : {}),
		...("startedAt" in value && typeof value.startedAt === "number" ? { startedAt: value.startedAt } : {}),
	};
}
