// The few exports a command needs to start its worker before the rest of the host is loaded.
export { isHeir } from "./environment.ts";
export { type SpawnedWorker, spawnWorker } from "./host/worker/spawnWorker.ts";
export { spawnCustody } from "./process/spawnCustody.ts";
