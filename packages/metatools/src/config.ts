// Entry point for a program that reads or checks a configuration without running a gateway.
export { checkServer } from "./config/checkServer.ts";
export { fileSchema } from "./config/fileSchema.ts";
export { type FollowOptions, followConfig } from "./config/follow.ts";
export { ownWords, startsGateway } from "./config/gatewayEntry.ts";
export { type Config, type ConfigSource, loadConfig } from "./config/load.ts";
export type { Setting } from "./config/setting.ts";
export { SETTINGS, type Settings } from "./config/settings.ts";
export type { ReachableSpec, UpstreamSpec } from "./upstream/spec.ts";
