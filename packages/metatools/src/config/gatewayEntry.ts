import { basename } from "node:path";
import type { ReachableSpec, StdioSpec, Unplaced } from "../upstream/spec.ts";

/** The name under which `holdfast install` enters the gateway in an agent's file. */
export const INSTALLED_NAME = "holdfast";

const SERVING: Readonly<Record<string, readonly string[]>> = { holdfast: ["serve", "up"], metatools: ["serve"] };
/** Programs that start others, and their words for it. */
const LAUNCHERS: ReadonlySet<string> = new Set(
	"node nodejs bun bunx deno npx npm pnpm yarn exec dlx run x cmd env docker podman".split(" "),
);

/** Whether an agent's entry is for the gateway, which behind itself would start itself without end. */
export function isGatewayEntry(server: Unplaced<ReachableSpec>): boolean {
	return server.kind === "stdio" ? startsGateway(server) : server.name === INSTALLED_NAME;
}

/** Whether a command starts a gateway. */
export function startsGateway(given: Pick<StdioSpec, "command" | "args">): boolean {
	const own = ownWords(given);
	return own !== undefined && (SERVING[own.program]?.includes(own.rest[0] ?? "") ?? false);
}

/**
 * Which of our programs a command starts, and with which arguments: directly, by its script under Node, or through
 * others that start programs, such as `cmd /c npx -y -p holdfast@latest holdfast`.
 */
export function ownWords({
	command,
	args,
}: Pick<StdioSpec, "command" | "args">): { readonly program: string; readonly rest: readonly string[] } | undefined {
	const words = [command, ...args];
	const end = words.findIndex((word) => !isLeading(word));
	const at = words.slice(0, end === -1 ? undefined : end).findLastIndex((word) => isOwn(programIn(word)));
	return at === -1 ? undefined : { program: programIn(words[at] ?? ""), rest: words.slice(at + 1) };
}

function isLeading(word: string): boolean {
	const program = programIn(word);
	return isOwn(program) || LAUNCHERS.has(program) || /^-|^\/[a-z]$|^\w+=/i.test(word);
}

function isOwn(program: string): boolean {
	return Object.hasOwn(SERVING, program);
}

/** Without its folder, its ending and its version. */
function programIn(word: string): string {
	return basename(word.replaceAll("\\", "/")).replace(/(?<=.)@.*$|\.(?:js|cmd|exe)$/, "");
}
