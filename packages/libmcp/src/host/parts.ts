import type { ContractBook } from "./calls/contractBook.ts";
import type { Dispatch } from "./calls/dispatch.ts";
import type { Ledger } from "./calls/ledger.ts";
import type { Recovery } from "./calls/recovery.ts";
import type { Callbacks } from "./client/callbacks.ts";
import type { Port } from "./client/clientPort.ts";
import type { Lists } from "./lists/lists.ts";
import type { HostRecord } from "./report/hostRecord.ts";
import type { Session } from "./session/session.ts";
import type { Settings } from "./settings/settings.ts";
import type { Supervisor } from "./supervision/supervisor.ts";

/** The parts of one host. Each reaches the others only through this object. */
export type Parts = {
	readonly settings: Settings;
	readonly record: HostRecord;
	readonly port: Port;
	readonly session: Session;
	readonly book: ContractBook;
	readonly ledger: Ledger;
	readonly callbacks: Callbacks;
	readonly dispatch: Dispatch;
	readonly recovery: Recovery;
	readonly lists: Lists;
	readonly supervisor: Supervisor;
};
