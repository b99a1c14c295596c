import { basename } from "node:path";
import type { ReachableSpec, StdioSpec } from "../upstream/spec.ts";

/** The name under which `holdfast install` enters the gateway in an agent's file. */
export const INSTALLED_NAME = "holdfast";

const SERVING: Readonly<Record<string, readonly string[]>> = { holdfast: ["serve", "up"], metatools: ["serve"] };

/** Whether an agent's entry is for the gateway, which behind itself would start itself without end. */
export function isGatewayEntry(server: ReachableSpec): boolean {
	return server.kind === "stdio" ? startsGateway(server) : server.name === INSTALLED_NAME;
}

/** Whether a command starts a gateway: directly, by its script under Node, or through npx. */
export function startsGateway({ command, args }: Pick<StdioSpec, "command" | "args">): boolean {
	const words = [command, ...args].map((word) => basename(word.replaceAll("\\", "/")).replace(/\.(?:js|cmd)$/, ""));
	const at = words.findIndex((word) => Object.hasOwn(SERVING, word));
	return at !== -1 && at <= 2 && (SERVING[words[at] ?? ""]?.includes(words[at + 1] ?? "") ?? false);
}
