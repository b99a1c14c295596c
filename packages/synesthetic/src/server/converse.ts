import { stdoutFlushed, watchParent } from "libmcp/serve";
import { type Clerk, Desk } from "./desk.ts";
import { openInput } from "./input.ts";
import type { Line } from "./lineBuffer.ts";
import { LineWriter } from "./lineWriter.ts";
import { log } from "./log.ts";
import { openOutput } from "./output.ts";
import { announceReady } from "./readyFile.ts";

export type ConversationOptions = {
	readonly readyFile: string | undefined;
	/** Says on stderr when it begins and ends. */
	readonly announced: boolean;
};

// Limit on answers that the client has not read.
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** After a stop signal, how long to wait for the client to read its last answers. */
const LAST_WORDS_MS = 500;

/** Serves stdin and stdout with a clerk; resolves with the exit code when the session is over. */
export async function converse(
	makeClerk: (write: (line: Line) => void) => Clerk | Promise<Clerk>,
	{ readyFile, announced }: ConversationOptions,
): Promise<number> {
	const { stdout } = process;
	const send = openOutput();
	const output = new LineWriter((bytes) => {
		send(bytes);
		if (stdout.writableLength > MAX_UNREAD_BYTES) desk.hold();
	});
	const write = (line: Line): void => output.write(line);
	const flow = { pause: () => void input.pause(), resume: () => void input.resume() };
	const desk = new Desk(await makeClerk(write), write, flow);
	const input = openInput(desk);
	const say = announced ? log : () => {};
	const ended = Promise.withResolvers<number>();
	const finish = (drained: Promise<void>, readWithinMs?: number): void => {
		input.pause();
		void drained
			.then(() => output.flush())
			.then(() => stdoutFlushed(readWithinMs))
			.then(() => ended.resolve(0));
	};
	const stop = (): void => finish(desk.stop(), LAST_WORDS_MS);
	const withdraw = announceReady(readyFile, log);
	process.once("exit", withdraw);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
	input.once("end", () => finish(desk.end()));
	input.once("error", stop);
	// Every write to a client that is gone is an error of its own.
	stdout.on("error", stop);
	stdout.on("drain", () => desk.proceed());
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
