import { allTaken } from "./backup.ts";
import { commandIn, isRecord } from "./serverEntry.ts";
import { unwrapped } from "./wrapServers.ts";

/** The servers that were moved out of a file together with their hosts; undoing the move brings back both. */
export function hostsMovedOut(backups: string, path: string): string[] {
	return allTaken(backups).flatMap((from) =>
		from.path === path ? Object.keys(from.taken).filter((name) => isWrapped(from.taken[name]?.value)) : [],
	);
}

function isWrapped(entry: unknown): boolean {
	const { command, args = [] } = commandIn(isRecord(entry) ? entry : {});
	return (
		typeof command === "string" && Array.isArray(args) && unwrapped({ command, args: args.map(String) }) !== undefined
	);
}
