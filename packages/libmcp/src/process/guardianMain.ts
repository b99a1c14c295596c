// Runs after a host has died; stdin names the process trees that the host left behind. On systems without a shell it
// starts together with the host instead, waits for its death, and gets the first trees as arguments.
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_GRACE_MS, type KillTarget } from "./killResult.ts";
import { killTree } from "./killTree.ts";
import { type CustodyMark, readProcessTable } from "./processTable.ts";

/** Nobody is left to receive answers, so a longer grace period would only keep orphans alive. */
const MOST_GRACE_MS = 1_500;
/** How long a process that was just forked may take to exec its program, if the host was killed in between. */
const MOST_START_MS = 1_000;
const START_POLL_MS = 50;

type Guarded = Partial<KillTarget> & { readonly mark: CustodyMark; readonly graceMs: number };

const left = new Map<CustodyMark, Guarded>();
for (const line of [...process.argv.slice(2), ...readFileSync(0, "utf8").split("\n")]) {
	if (line === ".") left.clear();
	const entry = parse(line);
	if (entry === undefined) continue;
	if ("released" in entry) left.delete(entry.released);
	else left.set(entry.mark, entry);
}
void Promise.all([...left.values()].map(end));

async function end({ pid, graceMs, ...entry }: Guarded): Promise<void> {
	const target = pid === undefined ? await startedUnder(entry.mark) : { ...entry, pid };
	if (target !== undefined) await killTree(target, { graceMs: Math.min(graceMs, MOST_GRACE_MS) });
}

/** Finds the leader when the host died before reporting it: the oldest process that carries the mark. */
async function startedUnder(mark: CustodyMark): Promise<KillTarget | undefined> {
	for (const until = performance.now() + MOST_START_MS; performance.now() < until; await delay(START_POLL_MS)) {
		const [leader] = readProcessTable(0, mark)
			.entries.filter((entry) => entry.marked)
			.sort((one, other) => one.startedAt - other.startedAt);
		if (leader !== undefined) return { pid: leader.pid, startedAt: leader.startedAt, mark };
	}
	return undefined;
}

/** A host killed while writing leaves half a line, which is ignored. */
function parse(line: string): Guarded | { readonly released: CustodyMark } | undefined {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return undefined;
	}
	if (typeof value !== "object" || value === null) return undefined;
	if ("released" in value && typeof value.released === "string") return { released: value.released };
	if (!("mark" in value) || typeof value.mark !== "string") return undefined;
	return {
		mark: value.mark,
		graceMs: "graceMs" in value && typeof value.graceMs === "number" ? value.graceMs : DEFAULT_GRACE_MS,
		...("pid" in value && typeof value.pid === "number" ? { pid: value.pid } : {}),
		...("startedAt" in value && typeof value.startedAt === "number" ? { startedAt: value.startedAt } : {}),
	};
}
