// Entry point for a program that reads or checks a configuration without running a gateway.

export { createFileSchema as fileSchema } from "./config/fileSchema.ts";
export { type FollowOptions, followConfig } from "./config/follow.ts";
export type { Setting } from "./config/kinds.ts";
export { type Config, type ConfigSource, loadConfig } from "./config/load.ts";
export { checkServer, ownWords, startsGateway } from "./config/serverLists.ts";
export { SETTINGS, type Settings } from "./config/settings.ts";
export type { ReachableSpec, UpstreamSpec } from "./upstream/spec.ts";
