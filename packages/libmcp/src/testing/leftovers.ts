import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { TEST_SESSION_VARIABLE } from "../environment.ts";

/** Marks every process of a session in its environment, so that processes outside the group are found too. */
export type SessionMark = { readonly env: Readonly<Record<string, string>>; living(): number[] };

/** Creates a new mark; put its `env` into the environment of what you start. */
export function sessionMark(): SessionMark {
	const mark = `${TEST_SESSION_VARIABLE}=${randomUUID()}`;
	return {
		env: { [TEST_SESSION_VARIABLE]: mark.slice(TEST_SESSION_VARIABLE.length + 1) },
		living: () => markedPids(mark),
	};
}

/** Waits until no marked process is alive; returns those still alive when the time is up. */
export async function leftovers(mark: SessionMark, withinMs: number): Promise<number[]> {
	const until = performance.now() + withinMs;
	for (;;) {
		const living = mark.living();
		if (living.length === 0 || performance.now() > until) return living;
		await delay(25);
	}
}

/** Only Linux shows the environment of other processes; elsewhere this finds nothing. */
function markedPids(mark: string): number[] {
	if (process.platform !== "linux") return [];
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && hasMark(name, mark))
		.map(Number);
}

function hasMark(pid: string, mark: string): boolean {
	try {
		if (/^\S+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) return false;
		return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
	} catch {
		return false;
	}
}
