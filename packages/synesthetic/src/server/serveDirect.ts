import { guardStdout, watchParent } from "libmcp";
import { Assets } from "../assets.ts";
import type { Settings } from "../settings.ts";
import { Conversation } from "./conversation.ts";
import { announceReady } from "./readyFile.ts";

/** Serves this process's stdin and stdout until the client closes its end or a signal comes; ends the process. */
export function serveDirect(settings: Settings): Promise<number> {
	const guard = guardStdout();
	const assets = new Assets(settings);
	for (const { path, reason } of assets.catalog.skipped)
		log(`skipped path=${JSON.stringify(path)} reason=${JSON.stringify(reason)}`);
	const conversation = new Conversation(assets, (line) => void guard.write(`${line}\n`));
	const withdraw = announceReady(settings.readyFile, log);
	process.once("exit", withdraw);
	const ended = Promise.withResolvers<number>();
	const finish = (drained: Promise<void>): void => {
		process.stdin.pause().removeAllListeners("data");
		void drained.then(flushed).then(() => {
			log("shutdown mode=stdio");
			ended.resolve(0);
		});
	};
	process.stdin.on("data", (chunk: Buffer) => conversation.push(chunk));
	process.stdin.once("end", () => finish(conversation.end()));
	process.stdin.once("error", () => finish(conversation.stop()));
	process.stdout.on("error", () => finish(conversation.stop()));
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => finish(conversation.stop()));
	process.once("uncaughtException", (error) => {
		log(`fatal ${error.stack ?? String(error)}`);
		ended.resolve(1);
	});
	const stopWatching = watchParent(() => finish(conversation.stop()), 1_000);
	log("ready mode=stdio");
	return ended.promise.finally(stopWatching);
}

function log(text: string): void {
	process.stderr.write(`mcp:${text}\n`);
}

function flushed(): Promise<void> {
	return new Promise((resolve) => {
		if (process.stdout.writableLength === 0 || process.stdout.destroyed) resolve();
		else process.stdout.once("drain", resolve);
	});
}
