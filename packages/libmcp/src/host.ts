// Entry point for a process that is only a host: leaves out everything that would slow its start.
export { askHost, type RunningHost, runningHosts } from "./control/controlClient.ts";
export type { ControlAnswer, ControlRequest } from "./control/controlProtocol.ts";
export { host } from "./control/host.ts";
export type { Host, HostState } from "./control/hostHandle.ts";
export type { HostHealth } from "./host/hostHealth.ts";
export type { HostOptions } from "./host/options.ts";
export { fileName, stateFolder } from "./host/runtimeFolder.ts";
export type { WorkerCommand } from "./host/spawnWorker.ts";
export { keepNurserySmall } from "./process/keepNurserySmall.ts";
export type { RolloutOutcome } from "./rollout/rolloutOutcome.ts";
export { parseRecord } from "./telemetry/postmortem.ts";
export type { TelemetryRecord } from "./telemetry/record.ts";
export { rotatedFiles } from "./telemetry/rotatedFiles.ts";
