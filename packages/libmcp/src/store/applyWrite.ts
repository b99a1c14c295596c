import type { ReplayContract } from "../replay/decide.ts";
import type { CallKey, CallRow, EventRow, SessionRow, ValueRow, Write } from "./store.ts";
import { StoreProblem } from "./storeProblem.ts";
import type { Rows } from "./tables.ts";

/** Every session, so that one is found by its id alone. */
export const ALL_SESSIONS = "";

/** Changes the rows as the write says; throws a StoreProblem, with nothing changed, if they do not allow it. */
export function applyWrite(rows: Rows, write: Exclude<Write, { kind: "publish" }>): void {
	switch (write.kind) {
		case "put-session":
			rows.put("session", ALL_SESSIONS, write.row.id, JSON.stringify(write.row));
			return;
		case "claim-session": {
			const row = readRow<SessionRow>(rows.get("session", ALL_SESSIONS, write.session));
			if (row === undefined || (row.owner ?? null) !== write.was)
				throw new StoreProblem("CHANGED_MEANWHILE", "the session has another owner by now, or has ended");
			rows.put("session", ALL_SESSIONS, write.session, JSON.stringify({ ...row, owner: write.owner }));
			return;
		}
		case "touch-session": {
			const row = readRow<SessionRow>(rows.get("session", ALL_SESSIONS, write.session));
			if (row !== undefined)
				rows.put("session", ALL_SESSIONS, write.session, JSON.stringify({ ...row, seenAt: write.seenAt }));
			return;
		}
		case "end-session":
			endSession(rows, write.session);
			return;
		case "end-idle-sessions":
			for (const { value } of rows.list("session", ALL_SESSIONS)) {
				const { id, scope, seenAt } = JSON.parse(value) as SessionRow;
				if (scope === write.scope && seenAt < write.seenBefore) endSession(rows, id);
			}
			return;
		case "add-event": {
			const { session, number } = write.row;
			if (rows.get("event", session, String(number)) !== undefined)
				throw new StoreProblem("OUT_OF_ORDER", `event ${number}: expected a new number, got one that is taken`);
			rows.put("event", session, String(number), JSON.stringify(write.row));
			return;
		}
		case "drop-events":
			for (const number of write.numbers) rows.delete("event", write.session, String(number));
			return;
		case "accept-call":
		case "dispatch-call":
		case "answer-call":
		case "forget-call":
			applyToCall(rows, write);
			return;
		case "set-value": {
			const { space, key } = write.row;
			const before = readRow<ValueRow>(rows.get("value", space, key));
			if (write.was !== undefined && (before?.value ?? null) !== write.was)
				throw new StoreProblem("CHANGED_MEANWHILE", `${space}/${key}: somebody else has changed the value`);
			rows.put("value", space, key, JSON.stringify(write.row));
			return;
		}
		case "unset-value":
			rows.delete("value", write.space, write.key);
			return;
	}
}

/** Reads what `applyWrite` wrote. */
export function readRow<Row extends SessionRow | EventRow | CallRow | ValueRow>(
	text: string | undefined,
): Row | undefined {
	return text === undefined ? undefined : (JSON.parse(text) as Row);
}

type CallWrite = Extract<Write, { kind: "accept-call" | "dispatch-call" | "answer-call" | "forget-call" }>;

function applyToCall(rows: Rows, write: CallWrite): void {
	const { session, call } = write.kind === "accept-call" ? write.row : write;
	const before = readRow<CallRow>(rows.get("call", session, String(call)));
	const put = (row: CallRow): void => rows.put("call", session, String(call), JSON.stringify(row));
	switch (write.kind) {
		case "accept-call":
			if (before !== undefined) throw outOfOrder(write.row, "no such call", before);
			put({ ...write.row, state: "accepted", attempts: 0 });
			return;
		case "dispatch-call":
			if (before === undefined || before.state === "answered") throw outOfOrder(write, "a call without answer", before);
			put({
				...before,
				state: "dispatched",
				attempts: before.attempts + 1,
				contract: weakerOf(before.contract, write.contract),
			});
			return;
		case "answer-call":
			if (before === undefined || before.state === "answered") throw outOfOrder(write, "a call without answer", before);
			put({ ...before, state: "answered" });
			return;
		case "forget-call":
			rows.delete("call", session, String(call));
			return;
	}
}

/** From what allows least to what allows most. */
const BY_STRENGTH: readonly ReplayContract[] = ["never_replay", "probe_required", "convergent"];

/** The contract that allows less. */
export function weakerOf(one: ReplayContract, other: ReplayContract): ReplayContract {
	return BY_STRENGTH.indexOf(one) < BY_STRENGTH.indexOf(other) ? one : other;
}

function outOfOrder({ call }: CallKey, expected: string, got: CallRow | undefined): StoreProblem {
	return new StoreProblem("OUT_OF_ORDER", `call ${call}: expected ${expected}, got ${got?.state ?? "none"}`);
}

function endSession(rows: Rows, session: string): void {
	rows.delete("session", ALL_SESSIONS, session);
	rows.deleteAll("event", session);
	rows.deleteAll("call", session);
}
