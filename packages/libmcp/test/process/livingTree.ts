import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export const TREE_SCRIPT = fileURLToPath(new URL("./fixtures/tree.mjs", import.meta.url));
const ROLES = ["leader", "child", "grandchild", "stray"] as const;
export type Roles = Record<(typeof ROLES)[number], number>;

/** Reads the ids a tree prints until all four of its processes have spoken. */
export async function readRoles(output: Readable): Promise<Roles> {
	const found = new Map<string, number>();
	for await (const line of createInterface({ input: output })) {
		const [role = "", pid] = line.split(" ");
		if (ROLES.some((name) => name === role)) found.set(role, Number(pid));
		if (found.size === ROLES.length) break;
	}
	const pid = (role: string): number => {
		const value = found.get(role);
		if (value === undefined) throw new Error(`the tree ended before its ${role} spoke`);
		return value;
	};
	return { leader: pid("leader"), child: pid("child"), grandchild: pid("grandchild"), stray: pid("stray") };
}

/** A zombie waits only for its parent to look; it runs nothing. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	if (process.platform !== "linux") return true;
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
	} catch {
		return false;
	}
}

export function aliveOf(roles: Roles): readonly string[] {
	return ROLES.filter((role) => isAlive(roles[role]));
}

/** The processes that have this among their arguments; only where there is /proc. */
export function processesNaming(argument: string): readonly string[] {
	return readdirSync("/proc").filter((name) => {
		try {
			return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "latin1").split("\0").includes(argument);
		} catch {
			return false;
		}
	});
}
