import { fileURLToPath } from "node:url";
import { guardStdout, watchParent } from "libmcp";
import { Assets } from "../assets.ts";
import { environmentOf, type Settings } from "../settings.ts";
import { Desk } from "./desk.ts";
import { HostedClerk } from "./hostedClerk.ts";
import { LocalClerk } from "./localClerk.ts";
import { announceReady } from "./readyFile.ts";

const WORKER = fileURLToPath(new URL("./workerMain.js", import.meta.url));
// A worker holds one request at a time, so a small young generation costs nothing and keeps its memory down.
const WORKER_FLAGS = ["--max-semi-space-size=2", "--max-old-space-size=512"];

/** Serves stdin and stdout from this process alone; resolves with the exit code when the conversation is over. */
export async function serveDirect(settings: Settings): Promise<number> {
	const { write } = guardStdout();
	const line = (text: string): void => void write(`${text}\n`);
	const clerk = new LocalClerk(loadAssets(settings), line, { hosted: false });
	return converse(new Desk(clerk, line), settings.readyFile);
}

/** Serves stdin and stdout through a worker that is replaced when it dies. */
export async function serveHosted(settings: Settings): Promise<number> {
	const { write } = guardStdout();
	const line = (text: string): void => void write(`${text}\n`);
	const worker = { command: process.execPath, args: [...WORKER_FLAGS, WORKER], env: environmentOf(settings) };
	const clerk = new HostedClerk({ ...worker, write: line });
	await clerk.ready();
	const code = await converse(new Desk(clerk, line), settings.readyFile);
	await clerk.close();
	return code;
}

/** The worker's side: the same conversation, with the host for a client and no ready file. */
export async function serveWorker(settings: Settings): Promise<number> {
	const { write } = guardStdout();
	const line = (text: string): void => void write(`${text}\n`);
	return converse(new Desk(new LocalClerk(loadAssets(settings), line, { hosted: true }), line), undefined, () => {});
}

function loadAssets(settings: Settings): Assets {
	const assets = new Assets(settings);
	for (const { path, reason } of assets.catalog.skipped)
		log(`skipped path=${JSON.stringify(path)} reason=${JSON.stringify(reason)}`);
	return assets;
}

async function converse(desk: Desk, readyFile: string | undefined, say: (text: string) => void = log): Promise<number> {
	const ended = Promise.withResolvers<number>();
	const finish = (drained: Promise<void>): void => {
		process.stdin.off("data", take).pause();
		void drained.then(flushed).then(() => ended.resolve(0));
	};
	const stop = (): void => finish(desk.stop());
	const take = (chunk: Buffer): void => desk.push(chunk);
	const withdraw = announceReady(readyFile, log);
	process.once("exit", withdraw);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
	process.stdin.on("data", take);
	process.stdin.once("end", () => finish(desk.end()));
	process.stdin.once("error", stop);
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

function log(text: string): void {
	process.stderr.write(`mcp:${text}\n`);
}

function flushed(): Promise<void> {
	return new Promise((resolve) => {
		if (process.stdout.writableLength === 0 || process.stdout.destroyed) resolve();
		else process.stdout.once("drain", resolve).once("error", () => resolve());
	});
}
