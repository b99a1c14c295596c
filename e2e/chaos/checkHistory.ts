import type { CallEnd, CallKind, HistoryLine } from "./history.ts";

type SeenCall = {
	readonly kind: CallKind;
	readonly ends: CallEnd[];
	detail: string;
	isAcknowledged: boolean;
	effects: number;
};

/** Which promises a history breaks, one line for each breach; empty if it keeps them all. Reads each line once. */
export function checkHistory(lines: Iterable<HistoryLine>): readonly string[] {
	const breaches: string[] = [];
	const calls = new Map<string, SeenCall>();
	const latest = new Map<string, number>();
	const callOf = (id: string, what: string): SeenCall | undefined => {
		const call = calls.get(id);
		if (call === undefined) breaches.push(`${id}: ${what} of a call that nobody began`);
		return call;
	};
	for (const line of lines) {
		switch (line.what) {
			case "begin":
				if (calls.has(line.call)) breaches.push(`${line.call}: begun twice under one id`);
				calls.set(line.call, { kind: line.kind, ends: [], detail: "", isAcknowledged: false, effects: 0 });
				break;
			case "acknowledged": {
				const call = callOf(line.call, "an event id");
				if (call !== undefined) call.isAcknowledged = true;
				break;
			}
			case "end": {
				const call = callOf(line.call, "an answer");
				call?.ends.push(line.end);
				if (call !== undefined) call.detail = line.detail ?? "";
				break;
			}
			case "effect": {
				const call = callOf(line.call, "an effect");
				if (call !== undefined) call.effects += 1;
				break;
			}
			case "event": {
				const stream = `${line.session} ${line.stream}`;
				const before = latest.get(stream) ?? 0;
				if (line.number === before) breaches.push(`${stream}: event ${line.number} came twice`);
				if (line.number < before) breaches.push(`${stream}: event ${line.number} came after ${before}`);
				latest.set(stream, Math.max(before, line.number));
				break;
			}
			case "session-lost":
				breaches.push(`${line.session}: the session was lost: ${line.detail}`);
				break;
			case "kill":
				break;
		}
	}
	for (const [id, call] of calls) breaches.push(...breachesOf(id, call));
	return breaches;
}

function breachesOf(id: string, { kind, ends, detail, isAcknowledged, effects }: SeenCall): readonly string[] {
	const breaches: string[] = [];
	const [end] = ends;
	if (ends.length > 1) breaches.push(`${id}: ${ends.length} answers: ${ends.join(", ")}`);
	if (end === undefined && isAcknowledged) breaches.push(`${id}: acknowledged and never answered`);
	if (end === "unreachable" && isAcknowledged) breaches.push(`${id}: acknowledged and then lost: ${detail}`);
	if (end === "ambiguous" && kind !== "write") breaches.push(`${id}: may be repeated and was not: ${detail}`);
	if (end === "exhausted" && kind === "write") breaches.push(`${id}: may not be repeated and was: ${detail}`);
	if (end === "refused") breaches.push(`${id}: refused: ${detail}`);
	if (effects > 1) breaches.push(`${id}: took effect ${effects} times`);
	if (end === "answered" && kind !== "read" && effects === 0)
		breaches.push(`${id}: answered as done and took no effect`);
	return breaches;
}
