import type { Buffer } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { decide, type ProbeAnswer } from "../../replay/decide.ts";
import { resolvePointer } from "../../replay/jsonPointer.ts";
import { isRecord } from "../../server/protocol/protocol.ts";
import type { Span } from "../../wire/envelope.ts";
import { readSpan, readSpanExactly } from "../../wire/members.ts";
import { isRawJson } from "../../wire/requestId.ts";
import type { Port } from "../client/clientPort.ts";
import { encodeResult } from "../client/clientPort.ts";
import type { Session } from "../session/session.ts";
import type { Probe } from "../settings/contractFile.ts";
import { type Call, completeResult, readExactArguments } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import type { ContractBook } from "./contractBook.ts";
import type { Ledger } from "./ledger.ts";
import { countReplays, createAmbiguousFault, createExhaustedFault } from "./replayFaults.ts";

const DEFAULT_TIMEOUT_MS = 5_000;
const ASK_AGAIN_MS = 200;
const MAX_LOST_PROBES = 2;

/** What a probe needs of the host. */
export type ProbeParts = {
	readonly book: Pick<ContractBook, "probe" | "contract">;
	readonly ledger: Pick<Ledger, "settle" | "fail">;
	readonly port: Pick<Port, "send">;
	readonly session: Pick<Session, "claiming">;
};

/** `again`: the worker died during the probe, so ask the next one. `done`: the call has its answer. */
export type ProbeVerdict = "replay" | "again" | "done";

/** Asks the server whether a call in doubt took effect, then acts on the answer as `decide` says. */
export async function probeCall(parts: ProbeParts, call: Call, worker: Worker): Promise<ProbeVerdict> {
	const probe = parts.book.probe(call);
	if (probe === undefined) return "done";
	const { answer, result } = await askUntilKnown(parts, call, worker, probe);
	if (call.knowledge === "completed") return "done";
	if (answer === undefined) return lostProbe(parts, call, worker, probe);
	switch (decide(call.knowledge, "probe_required", answer, countReplays(call))) {
		case "replay":
			return "replay";
		case "complete_from_probe":
			if (parts.ledger.settle(call, { kind: "ok" }))
				parts.port.send(encodeResult(call.id, completeResult(call, result ?? {})));
			return "done";
		case "reject_exhausted":
			parts.ledger.fail(
				call,
				createExhaustedFault(call, worker.generation, `probe ${probe.tool} says it took no effect`),
			);
			return "done";
		// The other five cannot happen for a probed call; if one does, the call still must not run twice.
		case "reject_ambiguous":
		case "first_dispatch":
		case "await_answer":
		case "already_answered":
		case "probe":
		case "reject_unexpected_probe":
			parts.ledger.fail(call, createAmbiguousFault(call, worker.generation, `probe ${probe.tool} could not tell`));
			return "done";
	}
}

/** A probe that keeps ending its workers would end each one before it could serve any other call. */
function lostProbe({ ledger }: ProbeParts, call: Call, { verdict, generation }: Worker, probe: Probe): ProbeVerdict {
	if (verdict?.code !== "restart_requested") call.lostProbes++;
	if (call.lostProbes < MAX_LOST_PROBES) return "again";
	const why = `${call.lostProbes} workers ended while probe ${probe.tool} was asked`;
	ledger.fail(call, createAmbiguousFault(call, generation, why));
	return "done";
}

type Found = { readonly answer: ProbeAnswer | undefined; readonly result?: Record<string, unknown> };

async function askUntilKnown(parts: ProbeParts, call: Call, worker: Worker, probe: Probe): Promise<Found> {
	const until = performance.now() + (probe.timeoutMs ?? DEFAULT_TIMEOUT_MS);
	const params = parts.session.claiming({ name: probe.tool, arguments: probeArguments(call, probe) });
	for (;;) {
		const left = until - performance.now();
		if (left <= 0 || call.knowledge === "completed") return { answer: "still_unknown" };
		const asked = await worker.askMethod("tools/call", params, left).catch(() => undefined);
		if (worker.gone) return { answer: undefined };
		if (asked !== undefined && asked.envelope.kind === "response" && !asked.envelope.result.isError) {
			const value = resolvePointer(readSpan(asked.frame, asked.envelope.result), probe.answer);
			if (probe.done.some((one) => one === value))
				return { answer: "took_effect", result: resultFromProbe(asked.frame, asked.envelope.result, probe) };
			if (probe.safe.some((one) => one === value)) return { answer: "no_effect" };
		}
		await delay(Math.min(ASK_AGAIN_MS, Math.max(1, until - performance.now())));
	}
}

function probeArguments(call: Call, probe: Probe): Record<string, unknown> {
	const given = readExactArguments(call);
	return Object.fromEntries(
		Object.entries(probe.arguments).map(([name, pointer]) => [name, resolvePointer(given, pointer)]),
	);
}

function resultFromProbe(frame: Buffer, answer: Span, probe: Probe): Record<string, unknown> {
	const result = probe.result === undefined ? undefined : resolvePointer(readSpanExactly(frame, answer), probe.result);
	if (isRecord(result) && !isRawJson(result)) return { ...result };
	const text = `The call had taken effect before its server restarted (${probe.tool} confirms it); it was not run again.`;
	return { content: [{ type: "text", text }] };
}
