// Entry point for a process that asks running hosts and reads their logs, but is none itself.

export { findStateFolder as stateFolder, toFileName as fileName } from "./command/folders.ts";
export { askHost, listRunningHosts as runningHosts, type RunningHost } from "./control/controlClient.ts";
export type { ControlAnswer, ControlRequest } from "./control/controlProtocol.ts";
export type { HostState } from "./control/hostHandle.ts";
export type { HostHealth } from "./host/report/hostHealth.ts";
export type { RolloutOutcome } from "./rollout/rollout.ts";
export { listRotatedFiles as rotatedFiles } from "./telemetry/jsonlLog.ts";
export { parseRecord } from "./telemetry/postmortem.ts";
export type { LoggedRecord, TelemetryRecord } from "./telemetry/record.ts";
