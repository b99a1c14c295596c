import type { Callbacks } from "./callbacks.ts";
import type { Port } from "./clientPort.ts";
import type { ContractBook } from "./contractBook.ts";
import type { Dispatch } from "./dispatch.ts";
import type { HostRecord } from "./hostRecord.ts";
import type { Ledger } from "./ledger.ts";
import type { Lists } from "./lists.ts";
import type { Recovery } from "./recovery.ts";
import type { Session } from "./session.ts";
import type { Settings } from "./settings.ts";
import type { Supervisor } from "./supervisor.ts";

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
