import type { Buffer } from "node:buffer";
import type { ResponseEnvelope } from "../../wire/envelope.ts";
import { memberSpan } from "../../wire/memberSpan.ts";
import { readList } from "../lists/readList.ts";
import type { Parts } from "../parts.ts";
import type { Call } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import { addItems } from "./patchAnswer.ts";

const TIMEOUT_MS = 2_000;

/** The other workers whose tasks must be added to the answer of this `tasks/list`. Only its first page gets them. */
export function otherKeepers({ supervisor }: Parts, { method, frame, envelope }: Call, worker: Worker): Worker[] {
	if (method !== "tasks/list") return [];
	const { params } = envelope;
	if (params !== undefined && "found" in memberSpan(frame, params, ["cursor"])) return [];
	return [...supervisor.workers].filter((other) => other !== worker && !other.over && other.tasks.size > 0);
}

/** Adds the tasks of other workers to an answer; a worker that does not answer in time is left out. */
export async function addTasksOf(
	keepers: readonly Worker[],
	{ session }: Parts,
	frame: Buffer,
	envelope: ResponseEnvelope,
): Promise<Buffer> {
	const until = performance.now() + TIMEOUT_MS;
	const lists = keepers.map((keeper) =>
		readList(keeper, session, "tasks/list", "tasks", until).then(
			({ items }) => items,
			() => [],
		),
	);
	return addItems(frame, envelope, "tasks", (await Promise.all(lists)).flat());
}
