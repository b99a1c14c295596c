import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode, makeFolder } from "libmcp/command";
import { startedPid } from "libmcp/launch";
import { stdoutFlushed, watchParent } from "libmcp/serve";
import { type Line, LineWriter, logLine } from "../frontEnd/lines.ts";
import { type RequestHandler, StdioFrontEnd } from "../frontEnd/stdioFrontEnd.ts";
import { openInput, openOutput } from "./stdio.ts";

export type ConversationOptions = {
	readonly readyFile: string | undefined;
	/** Whether to log the start and the end of the session. */
	readonly announced: boolean;
};

// While the client has left more than this unread, no further request starts.
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** After a stop signal, how long to wait for the client to read its last answers. */
const LAST_WORDS_MS = 500;

/** Serves stdin and stdout with a handler; resolves with the exit code when the session is over. */
export async function holdConversation(
	makeHandler: (write: (line: Line) => void) => RequestHandler | Promise<RequestHandler>,
	{ readyFile, announced }: ConversationOptions,
): Promise<number> {
	const { stdout } = process;
	const send = openOutput();
	const output = new LineWriter((bytes) => {
		send(bytes);
		if (stdout.writableLength > MAX_UNREAD_BYTES) frontEnd.hold();
	});
	const write = (line: Line): void => output.write(line);
	const flow = { pause: () => void input.pause(), resume: () => void input.resume() };
	const frontEnd = new StdioFrontEnd(await makeHandler(write), write, flow);
	const input = openInput(frontEnd);
	const say = announced ? logLine : () => {};
	const ended = Promise.withResolvers<number>();
	const finish = (drained: Promise<void>, readWithinMs?: number): void => {
		input.pause();
		void drained
			.then(() => output.flush())
			.then(() => stdoutFlushed(readWithinMs))
			.then(() => ended.resolve(0));
	};
	const stop = (): void => finish(frontEnd.stop(), LAST_WORDS_MS);
	const withdraw = announceReady(readyFile, logLine);
	process.once("exit", withdraw);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
	input.once("end", () => finish(frontEnd.end()));
	input.once("error", stop);
	// Not `once`: every write to a client that is gone emits another error.
	stdout.on("error", stop);
	stdout.on("drain", () => frontEnd.proceed());
	process.once("uncaughtException", (error) => {
		logLine(`fatal ${error.stack ?? String(error)}`);
		withdraw();
		process.exit(1);
	});
	const stopWatching = watchParent(stop);
	say("ready mode=stdio");
	const code = await ended.promise;
	input.destroy();
	stopWatching();
	withdraw();
	say("shutdown mode=stdio");
	return code;
}

/**
 * Writes the ready file and returns a function that removes it. If the file cannot be written, that is only a warning.
 */
export function announceReady(file: string | undefined, warn: (text: string) => void): () => void {
	if (file === undefined) return () => {};
	const content = `${startedPid()} ${new Date().toISOString()}\n`;
	try {
		place(resolve(file), content);
	} catch (error) {
		warn(`ready file not written: ${errorCode(error) ?? "unknown"}`);
		return () => {};
	}
	return () => {
		try {
			// Another server may have taken the file over since.
			if (readFileSync(file, "utf8") === content) rmSync(file);
		} catch {
			// Gone already.
		}
	};
}

// Writes a draft and renames it, so that nobody reads half a file and a planted link is not followed.
function place(file: string, content: string): void {
	// Renaming over a device such as /dev/null would replace it for everybody.
	const there = lstatSync(file, { throwIfNoEntry: false });
	if (there !== undefined && !there.isFile() && !there.isSymbolicLink())
		throw Object.assign(new Error("there is something else than a file"), { code: "EEXIST" });
	makeFolder(dirname(file));
	const draft = `${file}.${process.pid}`;
	writeFileSync(draft, content, { flag: "wx" });
	try {
		renameSync(draft, file);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}
