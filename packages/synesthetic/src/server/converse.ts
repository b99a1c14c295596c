import { stdoutFlushed, watchParent } from "libmcp/serve";
import { openInput } from "./input.ts";
import type { Line } from "./lineBuffer.ts";
import { LineWriter } from "./lineWriter.ts";
import { log } from "./log.ts";
import { openOutput } from "./output.ts";
import { announceReady } from "./readyFile.ts";
import { type RequestHandler, StdioFrontEnd } from "./stdioFrontEnd.ts";

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
export async function converse(
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
	const say = announced ? log : () => {};
	const ended = Promise.withResolvers<number>();
	const finish = (drained: Promise<void>, readWithinMs?: number): void => {
		input.pause();
		void drained
			.then(() => output.flush())
			.then(() => stdoutFlushed(readWithinMs))
			.then(() => ended.resolve(0));
	};
	const stop = (): void => finish(frontEnd.stop(), LAST_WORDS_MS);
	const withdraw = announceReady(readyFile, log);
	process.once("exit", withdraw);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
	input.once("end", () => finish(frontEnd.end()));
	input.once("error", stop);
	// Not `once`: every write to a client that is gone emits another error.
	stdout.on("error", stop);
	stdout.on("drain", () => frontEnd.proceed());
	process.once("uncaughtException", (error) => {
		log(`fatal ${error.stack ?? String(error)}`);
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
