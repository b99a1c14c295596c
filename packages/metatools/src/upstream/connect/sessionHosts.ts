import type { Host, WorkerCommand } from "libmcp";

/** How many processes of clients were switched to the new release, and why others keep the old one. */
export type SessionsRollout = { readonly switched: number; readonly failed: readonly string[] };

/** The hosts of clients that have a program to themselves because they use it at its own path. */
export class SessionHosts {
	readonly #hosts = new Set<Host>();

	get workerPids(): readonly number[] {
		return [...this.#hosts].flatMap((host) => host.state().workerPid ?? []);
	}

	add(host: Host): void {
		this.#hosts.add(host);
		void host.closed.then(() => this.#hosts.delete(host));
	}

	async restart(): Promise<void> {
		await Promise.all([...this.#hosts].map((host) => host.restart()));
	}

	/** One after the other, even after one has failed, because each starts a process beside the old one. */
	async rollout(command?: WorkerCommand): Promise<SessionsRollout> {
		let switched = 0;
		const failed: string[] = [];
		for (const host of [...this.#hosts]) {
			const outcome = await host.rollout(command);
			// A client may leave meanwhile, and its host with it.
			if (!this.#hosts.has(host)) continue;
			if (outcome.ok) switched++;
			else failed.push(outcome.fault.detail);
		}
		return { switched, failed };
	}
}
