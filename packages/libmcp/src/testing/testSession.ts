import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type Host, host } from "../host/host.ts";
import type { HostOptions } from "../host/options.ts";
import { type SessionMark, sessionMark } from "./leftovers.ts";
import { TestClient, type TestClientOptions } from "./testClient.ts";

export type TestSessionOptions = Omit<HostOptions, "client"> & TestClientOptions;

/** A host in this process, real workers behind it, and a client before it. */
export type TestSession = {
	readonly host: Host;
	readonly client: TestClient;
	/** Marks the workers and all they start. */
	readonly mark: SessionMark;
	/** The pid of a worker that is ready to serve. */
	worker(): Promise<number>;
	close(): Promise<void>;
};

export async function testSession(options: TestSessionOptions): Promise<TestSession> {
	const { modern = false, ...hostOptions } = options;
	const toHost = new PassThrough();
	const fromHost = new PassThrough();
	const mark = sessionMark();
	const running = host({
		onWorkerStderr: () => {},
		...hostOptions,
		env: { ...hostOptions.env, ...mark.env },
		client: { input: toHost, output: fromHost },
	});
	const client = new TestClient({ from: fromHost, to: toHost }, { modern });
	try {
		await client.connect();
	} catch (error) {
		await running.close();
		throw error;
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
		async close() {
			toHost.end();
			await running.close();
		},
	};
}
