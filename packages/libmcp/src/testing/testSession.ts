import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { host } from "../control/host.ts";
import type { Host } from "../control/hostHandle.ts";
import { TEST_SESSION_VARIABLE } from "../environment.ts";
import type { HostOptions } from "../host/settings/options.ts";
import { TestClient, type TestClientOptions } from "./testClient.ts";

/** The options of a host, except its client, which is a `TestClient`. */
export type TestSessionOptions = Omit<HostOptions, "client"> & TestClientOptions;

/** A host in this process, with real workers behind it and a client in front. */
export type TestSession = {
	readonly host: Host;
	readonly client: TestClient;
	/** Marks the workers and every process they start. */
	readonly mark: SessionMark;
	/** The pid of a worker that is ready to serve. */
	worker(): Promise<number>;
	/** The last fault and the last stderr lines of the workers, for a failure message. */
	trouble(): string;
	close(): Promise<void>;
};

const HANDSHAKE_MS = 30_000;
const STDERR_LINES = 15;

/** Rejects when the server cannot be started or refuses the handshake; nothing is left running then. */
export async function testSession(options: TestSessionOptions): Promise<TestSession> {
	const { modern = false, onWorkerStderr, ...hostOptions } = options;
	const toHost = new PassThrough();
	const fromHost = new PassThrough();
	const mark = createSessionMark();
	const stderr: string[] = [];
	const running = host({
		...hostOptions,
		onWorkerStderr: (line) => {
			if (stderr.push(line) > STDERR_LINES) stderr.shift();
			onWorkerStderr?.(line);
		},
		env: { ...hostOptions.env, ...mark.env },
		client: { input: toHost, output: fromHost },
	});
	const trouble = (): string => {
		const { lastFault } = running.health();
		const fault = lastFault === null ? "" : `; last fault ${lastFault.class}.${lastFault.code}: ${lastFault.detail}`;
		return stderr.length === 0 ? fault : `${fault}; stderr:\n${stderr.join("\n")}`;
	};
	const client = new TestClient({ from: fromHost, to: toHost }, { modern });
	try {
		await waitWithin(HANDSHAKE_MS, client.connect(), "the handshake");
	} catch (error) {
		const message = `${error instanceof Error ? error.message : String(error)}${trouble()}`;
		await running.close();
		throw new Error(message, { cause: error });
	}
	return {
		host: running,
		client,
		mark,
		async worker() {
			for (;;) {
				const { ready, workerPid } = running.state();
				if (ready && workerPid !== undefined) return workerPid;
				await delay(5);
			}
		},
		trouble,
		async close() {
			toHost.end();
			await running.close();
		},
	};
}

/** Marks every process of a session in its environment, so that processes outside the group are found too. */
export type SessionMark = { readonly env: Readonly<Record<string, string>>; living(): number[] };

/** Creates a new mark; put its `env` into the environment of what you start. */
export function createSessionMark(): SessionMark {
	const mark = `${TEST_SESSION_VARIABLE}=${randomUUID()}`;
	return {
		env: { [TEST_SESSION_VARIABLE]: mark.slice(TEST_SESSION_VARIABLE.length + 1) },
		living: () => markedPids(mark),
	};
}

/** Waits until no marked process is alive; returns those still alive when the time is up. */
export async function findLeftovers(mark: SessionMark, withinMs: number): Promise<number[]> {
	const until = performance.now() + withinMs;
	for (;;) {
		const living = mark.living();
		if (living.length === 0 || performance.now() > until) return living;
		await delay(25);
	}
}

/** Only Linux shows the environment of other processes; elsewhere this finds nothing. */
function markedPids(mark: string): number[] {
	if (process.platform !== "linux") return [];
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && hasMark(name, mark))
		.map(Number);
}

function hasMark(pid: string, mark: string): boolean {
	try {
		if (/^\S+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) return false;
		return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
	} catch {
		return false;
	}
}

/** The promise's value; after `ms`, an error that names what was waited for. */
export async function waitWithin<Value>(ms: number, promise: Promise<Value>, what: string): Promise<Value> {
	const timeout = new AbortController();
	try {
		return await Promise.race([
			promise,
			delay(ms, undefined, { signal: timeout.signal }).then(() => {
				throw new Error(`${what}: no answer within ${ms} ms`);
			}),
		]);
	} finally {
		timeout.abort();
	}
}
