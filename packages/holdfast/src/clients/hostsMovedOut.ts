import { takenFrom } from "./backup.ts";
import { stepOf } from "./moveServers.ts";
import { commandIn, isRecord } from "./serverEntry.ts";
import type { Source } from "./sources.ts";
import { type Keeps, unwrapped } from "./wrapServers.ts";

/** The servers that were moved out of a list together with hosts of ours; undoing the move brings back both. */
export function hostsMovedOut(backups: string, list: Source, keeps: Keeps): string[] {
	const taken = Object.entries(takenFrom(backups, stepOf(list), list.path));
	return taken.flatMap(([name, { value }]) => (isWrapped(value) && !keeps(list.key, name) ? [name] : []));
}

function isWrapped(entry: unknown): boolean {
	const { command, args = [] } = commandIn(isRecord(entry) ? entry : {});
	return (
		typeof command === "string" && Array.isArray(args) && unwrapped({ command, args: args.map(String) }) !== undefined
	);
}
