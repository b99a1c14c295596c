// Entry point for a process that is only a host: leaves out everything that would slow its start.

export { fileName, stateFolder } from "./command/runtimeFolder.ts";
export { askHost, type RunningHost, runningHosts } from "./control/controlClient.ts";
export type { ControlAnswer, ControlRequest } from "./control/controlProtocol.ts";
export { host } from "./control/host.ts";
export type { Host, HostState } from "./control/hostHandle.ts";
export type { HostHealth } from "./host/report/hostHealth.ts";
export type { HostOptions } from "./host/settings/options.ts";
export type { WorkerCommand } from "./host/worker/spawnWorker.ts";
export { keepNurserySmall } from "./process/keepNurserySmall.ts";
export type { RolloutOutcome } from "./rollout/rolloutOutcome.ts";
export { parseRecord } from "./telemetry/postmortem.ts";
export type { LoggedRecord, TelemetryRecord } from "./telemetry/record.ts";
export { rotatedFiles } from "./telemetry/rotatedFiles.ts";
