import { setTimeout as delay } from "node:timers/promises";
import { ContentLengthReader, guardStdout, watchParent } from "libmcp";
import { endWithSignals, runnerOptions } from "../server/serveMcp.ts";
import { ToolRunner } from "../tools/toolRunner.ts";
import { Workspace } from "../workspace/workspace.ts";
import { LegacySession } from "./legacySession.ts";

const DRAIN_MS = 2_000;
const DRAIN_POLL_MS = 5;

/** Serves the Content-Length transport on this process's own stdin and stdout until the client closes its end. */
export async function serveLegacy(repositories: readonly string[]): Promise<void> {
	const workspace = new Workspace({ repositories });
	const runner = new ToolRunner(workspace, runnerOptions());
	const { write } = guardStdout();
	const reader = new ContentLengthReader();
	const over = Promise.withResolvers<void>();
	const end = (): void => over.resolve();
	const session = new LegacySession(runner, (frame) => void write(frame.toString("utf8")), end);
	process.stdin.on("data", (chunk: Buffer) => {
		for (const event of reader.push(chunk)) session.receive(event);
	});
	process.stdin.once("end", () => void drained(session).then(end));
	process.stdin.once("error", end);
	endWithSignals(end);
	const stopWatching = watchParent(end);
	await over.promise;
	stopWatching();
	session.end();
	await workspace.close();
}

/** Gives the calls in flight time to answer after the client closed its end. */
async function drained(session: LegacySession): Promise<void> {
	const until = performance.now() + DRAIN_MS;
	while (session.busy && performance.now() < until) await delay(DRAIN_POLL_MS);
}
