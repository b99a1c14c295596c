// Entry point for a process that is only a host: leaves out everything that would slow its start.

export { host } from "./control/host.ts";
export type { Host } from "./control/hostHandle.ts";
export * from "./control.ts";
export type { HostOptions } from "./host/settings/options.ts";
export type { WorkerCommand } from "./host/worker/spawnWorker.ts";
export { keepNurserySmall } from "./process/ownProcess.ts";
