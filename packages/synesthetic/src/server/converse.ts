import { guardStdout, watchParent } from "libmcp/serve";
import { type Clerk, Desk } from "./desk.ts";
import { openInput } from "./input.ts";
import { type Line, LineWriter } from "./lineWriter.ts";
import { announceReady } from "./readyFile.ts";

export type ConversationOptions = {
	readonly readyFile: string | undefined;
	/** Says on stderr when it begins and ends. */
	readonly announced: boolean;
};

/** Takes stdin and stdout for a clerk; resolves with the exit code when the conversation is over. */
export async function converse(
	makeClerk: (write: (line: Line) => void) => Clerk | Promise<Clerk>,
	{ readyFile, announced }: ConversationOptions,
): Promise<number> {
	const output = new LineWriter(guardStdout().write);
	const write = (line: Line): void => output.write(line);
	const flow = { pause: () => void input.pause(), resume: () => void input.resume() };
	const desk = new Desk(await makeClerk(write), write, flow);
	const input = openInput(desk);
	const say = announced ? log : () => {};
	const ended = Promise.withResolvers<number>();
	const finish = (drained: Promise<void>): void => {
		input.pause();
		void drained
			.then(() => output.flush())
			.then(flushed)
			.then(() => ended.resolve(0));
	};
	const stop = (): void => finish(desk.stop());
	const withdraw = announceReady(readyFile, log);
	process.once("exit", withdraw);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
	input.once("end", () => finish(desk.end()));
	input.once("error", stop);
	process.stdout.once("error", stop);
	process.once("uncaughtException", (error) => {
		log(`fatal ${error.stack ?? String(error)}`);
		withdraw();
		process.exit(1);
	});
	const stopWatching = watchParent(stop);
	say("ready mode=stdio");
	const code = await ended.promise;
	stopWatching();
	withdraw();
	say("shutdown mode=stdio");
	return code;
}

export function log(text: string): void {
	process.stderr.write(`mcp:${text}\n`);
}

function flushed(): Promise<void> {
	return new Promise((resolve) => {
		if (process.stdout.writableLength === 0 || process.stdout.destroyed) resolve();
		else process.stdout.once("drain", resolve).once("error", () => resolve());
	});
}
