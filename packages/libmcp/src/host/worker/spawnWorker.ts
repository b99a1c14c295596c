import { HOSTED_VARIABLE } from "../../environment.ts";
import type { KillFailure } from "../../process/killResult.ts";
import { type Custody, spawnCustody } from "../../process/spawnCustody.ts";

/** How a worker is started. */
export type WorkerCommand = {
	readonly command: string;
	readonly args?: readonly string[];
	/** Added to this process's own environment. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	readonly cwd?: string;
};

/** A worker's process before listeners are attached: it starts while the host is still loading. */
export type SpawnedWorker = {
	readonly custody: Custody;
	/** Called when a process tree could not be ended. */
	onKillFailure: (failure: KillFailure) => void;
};

/** Starts a worker in custody and marks it as hosted. */
export async function spawnWorker(command: WorkerCommand, graceMs?: number): Promise<SpawnedWorker> {
	const listener = { onKillFailure: (_failure: KillFailure): void => {} };
	const custody = await spawnCustody(command.command, command.args ?? [], {
		...(command.cwd === undefined ? {} : { cwd: command.cwd }),
		env: { ...process.env, ...command.env, [HOSTED_VARIABLE]: "1" },
		...(graceMs === undefined ? {} : { graceMs }),
		onKillFailure: (failure) => listener.onKillFailure(failure),
	});
	return Object.assign(listener, { custody });
}
