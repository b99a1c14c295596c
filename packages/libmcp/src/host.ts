// Entry point for a process that is only a host: leaves out everything that would slow its start.
export { askHost, type RunningHost, runningHosts } from "./host/controlClient.ts";
export type { ControlAnswer, ControlRequest } from "./host/controlProtocol.ts";
export { type Host, type HostState, host } from "./host/host.ts";
export type { HostHealth } from "./host/hostRecord.ts";
export type { HostOptions, WorkerCommand } from "./host/options.ts";
export { fileName, stateFolder } from "./host/runtimeFolder.ts";
export { keepNurserySmall } from "./process/keepNurserySmall.ts";
export type { RolloutOutcome } from "./rollout/rolloutOutcome.ts";
export { parseRecord } from "./telemetry/postmortem.ts";
export type { TelemetryRecord } from "./telemetry/record.ts";
