import { toPlainText } from "../../render/terminalText.ts";
import { extendHealth, type HealthSnapshot } from "../../telemetry/healthBoard.ts";
import type { ContractBook } from "../calls/contractBook.ts";
import type { Dispatch } from "../calls/dispatch.ts";
import type { Ledger } from "../calls/ledger.ts";
import type { Lists } from "../lists/lists.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../settings/settings.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import type { Quarantine } from "../state/quarantine.ts";
import type { BreakerState } from "../state/restartBudget.ts";
import type { Roster } from "../state/roster.ts";

/** The base health payload plus what only a host knows. */
export type HostHealth = HealthSnapshot & {
	readonly name: string;
	readonly inFlight: number;
	readonly waiting: number;
	readonly breaker: BreakerState;
	readonly quarantined: number;
	readonly notes: readonly string[];
};

const MOST_NAMED = 5;
const MOST_NAME_CHARS = 64;

/** What a report reads of the host. */
export type ReportParts = {
	readonly settings: Pick<Settings, "name">;
	readonly record: Pick<HostRecord, "board" | "telemetry">;
	readonly roster: Pick<Roster, "budget">;
	readonly session: Pick<Session, "journalOverflow" | "lostTools">;
	readonly book: Pick<ContractBook, "hasUndeclaredTools">;
	readonly ledger: Pick<Ledger, "size">;
	readonly dispatch: Pick<Dispatch, "waiting">;
	readonly lists: Pick<Lists, "warnings">;
	readonly quarantine: Pick<Quarantine, "size">;
};

export function readHostHealth(parts: ReportParts): HostHealth {
	const { settings, record, roster, ledger, dispatch, book, session, lists, quarantine } = parts;
	const notes: string[] = [...lists.warnings];
	if (book.hasUndeclaredTools)
		notes.push("state in the server's memory that no contract declares is lost on a restart");
	if (session.journalOverflow > 0) notes.push(`${session.journalOverflow} journaled calls did not fit and are lost`);
	const { lostTools } = session;
	if (lostTools.length > 0) {
		const names = lostTools.slice(0, MOST_NAMED).map((name) => toPlainText(name.slice(0, MOST_NAME_CHARS)));
		const why = "they refuse the journaled calls, or these may not run again";
		notes.push(`new workers lack what these tools had set, because ${why}: ${names.join(", ")}`);
	}
	return extendHealth(record.board.snapshot(), {
		name: settings.name,
		inFlight: ledger.size - dispatch.waiting,
		waiting: dispatch.waiting,
		breaker: roster.budget.state,
		quarantined: quarantine.size,
		notes,
	});
}
