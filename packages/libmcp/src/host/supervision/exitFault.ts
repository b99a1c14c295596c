import type { Fault } from "../../fault/fault.ts";
import { faultOf } from "../../fault/faultTable.ts";
import { type Exit, exitText } from "../../process/spawnCustody.ts";
import type { Worker } from "../worker/worker.ts";

/** Why a worker ended. An unrequested exit is a failure even with code 0. */
export function exitFault(worker: Worker, exit: Exit): Fault {
	if (worker.verdict !== undefined) return worker.verdict;
	const half = worker.unfinishedBytes === 0 ? "" : `, ${worker.unfinishedBytes} bytes of an unfinished message`;
	const detail = `${exitText(exit)}${half}`;
	const fields = { detail, generation: worker.generation };
	if (worker.stderr.lines.some((line) => OUT_OF_MEMORY.test(line))) return faultOf("out_of_memory", fields);
	if (exit.signal !== null) return faultOf("worker_killed", fields);
	return faultOf(exit.code === 0 ? "worker_exited" : "worker_crashed", fields);
}

const OUT_OF_MEMORY = /heap out of memory|Reached heap limit|Cannot allocate memory|MemoryError|OutOfMemoryError/;
