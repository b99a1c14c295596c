export { openSqlite, type SqliteOptions } from "./store/openSqlite.ts";
export { openStore, storeUrlProblem } from "./store/openStore.ts";
export type {
	Allowance,
	Batch,
	CallKey,
	CallRow,
	CallState,
	Durability,
	EventRow,
	Fence,
	Lease,
	SessionRow,
	Store,
	ValueRow,
	Write,
} from "./store/store.ts";
export { STORE_PROBLEMS, StoreProblem, type StoreProblemCode } from "./store/storeProblem.ts";
export { TASK_CAPABILITY, type TaskOptions, type TaskSupport, taskDispatcher } from "./tasks/taskDispatcher.ts";
export { REAL_WORLD, type World } from "./world/world.ts";
