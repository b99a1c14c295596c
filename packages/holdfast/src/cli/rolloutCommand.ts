import type { ControlRequest } from "libmcp/host";
import { ask, findHost } from "./findHost.ts";
import { say } from "./output.ts";
import { readArguments, UsageError } from "./usage.ts";

export const help = `Usage: holdfast rollout <name> [--pid <pid>] [--host] [--json]
                        [-- <new command> [args…]]

Starts the new server beside the old one, warms it up, and switches to it when
it is ready. Calls in flight finish where they are. When anything goes wrong
before the switch, nothing has changed; one that keeps crashing soon after it is
replaced by the old one. Without a new command the same one is started again,
which is how a rebuilt server is picked up. A name that begins with a dash comes
after all options: holdfast rollout -- <name> [-- <new command> [args…]].

  --pid <pid>  which of several hosts of that name; holdfast status tells
  --host       replace the host's own program by the one now installed, in
               place: same process, same session; only the server is restarted`;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words, after } = readArguments(
		args,
		{
			pid: { type: "string" },
			host: { type: "boolean" },
			json: { type: "boolean" },
		},
		1,
		"another",
	);
	const { name, replacement } = words.length === 0 ? nameAfterDashes(after) : { name: words[0], replacement: after };
	const host = findHost(name, values.pid);
	const [command, ...rest] = replacement ?? [];
	if (replacement?.length === 0) throw new UsageError("command: expected one after --, got nothing");
	if (values.host === true && command !== undefined)
		throw new UsageError(`--host: expected no command with it, got ${command}`);
	const started = performance.now();
	const value = await ask(host, request(values.host === true, command, rest));
	if (values.json === true) say(JSON.stringify(value));
	else say(`${host.name}: ${summary(value, values.host === true)} in ${Math.round(performance.now() - started)} ms`);
	return 0;
}

type Named = { readonly name: string | undefined; readonly replacement: readonly string[] | undefined };

/** Where no name comes before `--`, the first word after it is one, and a second `--` precedes the new command. */
function nameAfterDashes(after: readonly string[] = []): Named {
	const [name, dashes, ...replacement] = after;
	if (dashes === undefined) return { name, replacement: undefined };
	if (dashes !== "--")
		throw new UsageError(`name: expected a host's name before the new command, got nothing before -- ${name}`);
	return { name, replacement };
}

function request(ownProgram: boolean, command: string | undefined, args: readonly string[]): ControlRequest {
	if (ownProgram) return { op: "reinstall" };
	return command === undefined ? { op: "rollout" } : { op: "rollout", command: { command, args, cwd: process.cwd() } };
}

function summary(value: unknown, ownProgram: boolean): string {
	if (ownProgram) return "the installed program takes over; it was ready";
	if (typeof value !== "object" || value === null || !("generation" in value)) return "rolled out";
	const changed = "changed" in value && Array.isArray(value.changed) ? value.changed.join(", ") : "";
	return `generation ${String(value.generation)} serves${changed === "" ? "" : `, changed: ${changed}`}`;
}
