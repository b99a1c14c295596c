import { writeStderr } from "libmcp/command";

const WAIT_MS = 25;
const MOST_WAITING = 64;

export type Log = (line: string, urgency?: "later") => void;

/**
 * Logs to standard error. Lines marked `later` are batched and written shortly after the responses they describe,
 * because each write would wake the reader of the log while the client waits.
 */
export function callLog(write: (text: string) => unknown = writeStderr): Log {
	let waiting: string[] = [];
	let timer: NodeJS.Timeout | undefined;
	const flush = (): void => {
		clearTimeout(timer);
		timer = undefined;
		if (waiting.length > 0) write(waiting.join(""));
		waiting = [];
	};
	process.once("exit", flush);
	return (line, urgency) => {
		waiting.push(`pairofcleats: ${line}\n`);
		if (urgency === undefined || waiting.length >= MOST_WAITING) flush();
		else timer ??= setTimeout(flush, WAIT_MS).unref();
	};
}
