export { BoundedQueue, overloadFault, type QueueOverload } from "./admission/boundedQueue.ts";
export { Deadline, type DeadlineKind, type DeadlineLimits } from "./admission/deadline.ts";
export { MAX_PROGRESS_PER_SECOND, ProgressPacer } from "./admission/progressPacer.ts";
export {
	createFault,
	FAULT_CLASSES,
	type Fault,
	type FaultClass,
	type FaultFields,
	isFault,
	RECOVERY_HINTS,
	RETRY_ADVICE,
	type RecoveryHint,
	type RetryAdvice,
} from "./fault/fault.ts";
export { FaultError } from "./fault/faultError.ts";
export { type FaultResponse, faultResponse } from "./fault/faultResponse.ts";
export { type ModelFailure, modelFailure } from "./fault/modelFailure.ts";
export { toFault } from "./fault/toFault.ts";
export type {
	EndedProcess,
	KillFailure,
	KillFailureCode,
	KillOptions,
	KillResult,
	KillTarget,
} from "./process/killResult.ts";
export { killTree } from "./process/killTree.ts";
export type { Custody, CustodyOptions, Exit } from "./process/spawnCustody.ts";
export { spawnCustody } from "./process/spawnCustody.ts";
export { watchParent } from "./process/watchParent.ts";
export {
	type ExecutionKnowledge,
	type ProbeAnswer,
	type ReplayBudget,
	type ReplayContract,
	ReplayContracts,
} from "./replay/contract.ts";
export { type Decision, decide } from "./replay/decide.ts";
export {
	contractOf,
	EFFECT_META_KEY,
	type Effect,
	effectOfTool,
	type Journal,
	parseEffect,
	type Recovery,
} from "./replay/effect.ts";
export { isPointer, resolvePointer } from "./replay/jsonPointer.ts";
export { effectOfMethod } from "./replay/methodDefaults.ts";
export type { ClientDescription, Dispatcher, Era, ProgressUpdate, RpcContext } from "./server/dispatcher.ts";
export { RpcError } from "./server/dispatcher.ts";
