import { plainText } from "../../render/terminalText.ts";
import { extendHealth, type HealthSnapshot } from "../../telemetry/healthBoard.ts";
import type { Parts } from "../parts.ts";
import type { BreakerState } from "../supervision/restartBudget.ts";

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

export function hostHealth(parts: Parts): HostHealth {
	const { settings, record, supervisor, ledger, dispatch, book, session, lists, quarantine } = parts;
	const notes: string[] = [...lists.warnings];
	if (book.hasUndeclaredTools)
		notes.push("state in the server's memory that no contract declares is lost on a restart");
	if (session.journalOverflow > 0) notes.push(`${session.journalOverflow} journaled calls did not fit and are lost`);
	const { lostTools } = session;
	if (lostTools.length > 0) {
		const names = lostTools.slice(0, MOST_NAMED).map((name) => plainText(name.slice(0, MOST_NAME_CHARS)));
		const why = "they refuse the journaled calls, or these may not run again";
		notes.push(`new workers lack what these tools had set, because ${why}: ${names.join(", ")}`);
	}
	return extendHealth(record.board.snapshot(), {
		name: settings.name,
		inFlight: ledger.size - dispatch.waiting,
		waiting: dispatch.waiting,
		breaker: supervisor.budget.state,
		quarantined: quarantine.size,
		notes,
	});
}
