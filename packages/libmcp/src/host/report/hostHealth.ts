import { extendHealth } from "../../health/extendHealth.ts";
import type { HealthSnapshot } from "../../health/healthBoard.ts";
import { plainText } from "../../render/plainText.ts";
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
	const { refusedTools } = session;
	if (refusedTools.length > 0) {
		const names = refusedTools.slice(0, MOST_NAMED).map((name) => plainText(name.slice(0, MOST_NAME_CHARS)));
		notes.push(`new workers refuse to repeat journaled calls, so what they had set is lost: ${names.join(", ")}`);
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
