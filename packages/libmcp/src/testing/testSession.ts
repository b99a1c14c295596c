import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { host } from "../control/host.ts";
import type { Host } from "../control/hostHandle.ts";
import type { HostOptions } from "../host/settings/options.ts";
import { type SessionMark, sessionMark } from "./leftovers.ts";
import { TestClient, type TestClientOptions } from "./testClient.ts";
import { within } from "./within.ts";

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
	const mark = sessionMark();
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
		await within(HANDSHAKE_MS, client.connect(), "the handshake");
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
