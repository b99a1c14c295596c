import { setTimeout as wait } from "node:timers/promises";
import type { BuildReport } from "../index/build.ts";
import { EXIT } from "./exit.ts";
import { firstBuild } from "./firstBuild.ts";
import type { ReadFlags } from "./flags.ts";
import { withRepository } from "./openFromFlags.ts";
import { type Terminal, warn } from "./terminal.ts";

const EVERY_MS = 500;

/** Keeps an index up to date until interrupted. An update that fails is reported and tried again. */
export function watch(values: ReadFlags["values"], json: boolean, terminal: Terminal): Promise<number> {
	const { interrupted } = terminal;
	const tell = (report: BuildReport): void => {
		const { indexed, removed } = report.files;
		if (json) terminal.out(JSON.stringify(report));
		else terminal.out(`${new Date().toISOString()} files: ${indexed} indexed, ${removed} removed`);
	};
	const onUpdate = (report: BuildReport): void => {
		if (report.files.indexed + report.files.removed > 0) tell(report);
	};
	return withRepository(
		values,
		async (repository) => {
			let last: string | undefined;
			let told: string | undefined;
			while (!interrupted.aborted) {
				try {
					const built = await firstBuild(repository, terminal);
					if (built) tell(built);
					const message = (await repository.state(interrupted)).warning?.message;
					// What the next look no longer finds, such as a reading that took long, needs nobody.
					if (message !== undefined && message === last && message !== told) warn(terminal, message);
					if (message === last) told = message;
					last = message;
					await wait(EVERY_MS, undefined, { signal: interrupted });
				} catch (error) {
					if (!interrupted.aborted) throw error;
				}
			}
			return EXIT.done;
		},
		// Not 0, which would mean a single look: every look compares anew, but the process keeps looking.
		{ freshnessMs: 1, onUpdate },
	);
}
