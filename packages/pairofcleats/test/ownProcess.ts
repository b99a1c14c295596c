import { type SpawnSyncReturns, spawnSync } from "node:child_process";

/** Runs a program of the sources in a process of its own, and ends it when it does not by itself. */
export function ownProcess(program: string): SpawnSyncReturns<string> {
	const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval"];
	return spawnSync(process.execPath, [...flags, program], { encoding: "utf8", timeout: 60_000, killSignal: "SIGKILL" });
}
