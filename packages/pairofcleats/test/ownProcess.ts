import { type SpawnSyncReturns, spawnSync } from "node:child_process";

/** Runs a program in a separate process and kills it if it does not end by itself. */
export function ownProcess(program: string): SpawnSyncReturns<string> {
	const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval"];
	return spawnSync(process.execPath, [...flags, program], { encoding: "utf8", timeout: 60_000, killSignal: "SIGKILL" });
}
