import { commandFailure, failureText, plainText, UsageError } from "libmcp/command";
import type { ControlRequest, RunningHost } from "libmcp/control";
import type { HeldByRollout } from "../../up/controlSockets.ts";
import { readArguments } from "../arguments.ts";
import { printWarning, say } from "../output.ts";
import { askFor, findHost, findHosts } from "./findHost.ts";

export const help = `Usage: holdfast rollout <name> [--pid <pid>] [--all] [--host] [--json]
                        [-- <new command> [args…]]

Starts the new server beside the old one, warms it up, and switches to it when
it is ready. Calls in flight finish where they are. When anything goes wrong
before the switch, nothing has changed; one that keeps crashing soon after it is
replaced by the old one. Without a new command the same one is started again,
which is how a rebuilt server is picked up. A name that begins with a dash comes
after all options: holdfast rollout -- <name> [-- <new command> [args…]].

  --pid <pid>  which of several hosts of that name; holdfast status tells
  --all        every host of that name, one after the other
  --host       replace the host's own program by the one now installed, in
               place: same process, same session; only the server is restarted`;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words, after } = readArguments(
		args,
		{
			pid: { type: "string" },
			all: { type: "boolean" },
			host: { type: "boolean" },
			json: { type: "boolean" },
		},
		1,
		"another",
	);
	const { name, replacement } = words.length === 0 ? nameAfterDashes(after) : { name: words[0], replacement: after };
	if (values.all === true && values.pid !== undefined) throw new UsageError("--all: expected without --pid");
	const hosts = values.all === true ? findHosts(name) : [findHost(name, values.pid)];
	const [command, ...rest] = replacement ?? [];
	if (replacement?.length === 0) throw new UsageError("command: expected one after --, got nothing");
	if (values.host === true && command !== undefined)
		throw new UsageError(`--host: expected no command with it, got ${command}`);
	const asked = request(values.host === true, command, rest);
	return values.all === true
		? rollOutAll(hosts, asked, values.json === true)
		: rollOut(hosts[0], asked, values.json === true);
}

async function rollOut(host: RunningHost, asked: ControlRequest, json: boolean): Promise<number> {
	const { value, told, isWhole } = await outcomeOf(host, asked);
	say(json ? JSON.stringify(value) : `${host.name}: ${told}`);
	return isWhole ? 0 : 1;
}

/** Tries every host, even after one has failed. */
async function rollOutAll(hosts: readonly RunningHost[], asked: ControlRequest, json: boolean): Promise<number> {
	const outcomes: object[] = [];
	let failures = 0;
	for (const host of hosts) {
		const { name, pid } = host;
		try {
			const { value, told, isWhole } = await outcomeOf(host, asked);
			if (!isWhole) failures += 1;
			outcomes.push({ pid, value });
			if (!json) say(`${name} (${pid}): ${told}`);
		} catch (error) {
			const message = failureText(error);
			failures += 1;
			outcomes.push({ pid, ...commandFailure("failed", message) });
			printWarning(`holdfast rollout: ${name} (${pid}): ${message}`);
		}
	}
	if (json) say(JSON.stringify(outcomes));
	return failures === 0 ? 0 : 1;
}

/** `isWhole` is false when the server was replaced for some of its clients only. */
type Outcome = { readonly value: unknown; readonly told: string; readonly isWhole: boolean };

async function outcomeOf(host: RunningHost, asked: ControlRequest): Promise<Outcome> {
	const started = performance.now();
	const value = await askFor(host, asked);
	const took = `${Math.round(performance.now() - started)} ms`;
	const sessions = sessionsOf(value);
	const isOther = asked.op === "rollout" && asked.command !== undefined;
	const atGateway = sessions === undefined ? "" : `${sessionsText(sessions)}${isOther ? UNTIL_RESTART : ""}`;
	return {
		value,
		told: `${summary(value, asked.op === "reinstall")} in ${took}${atGateway}${heldText(value)}`,
		isWhole: sessions === undefined || sessions.failed.length === 0,
	};
}

const UNTIL_RESTART =
	"; the configuration still has the old command, which serves again after a restart of the gateway";

type Named = { readonly name: string | undefined; readonly replacement: readonly string[] | undefined };

/** Without a name before `--`, the first word after it is the name, and a second `--` precedes the new command. */
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

/** The clients that have a process of a gateway's server to themselves. */
type Sessions = { readonly path: string; readonly switched: number; readonly failed: readonly string[] };

// Trusted, because it comes from the user's own gateway on its own socket.
function sessionsOf(value: unknown): Sessions | undefined {
	return typeof value === "object" && value !== null && "sessions" in value ? (value.sessions as Sessions) : undefined;
}

function sessionsText({ path, switched, failed }: Sessions): string {
	const all = switched + failed.length;
	if (all === 0) return "";
	if (failed.length === 0) return `, also for ${all} ${all === 1 ? "client" : "clients"} at ${path}`;
	return `; of ${all} ${all === 1 ? "client" : "clients"} at ${path}, ${failed.length} still use the old one: ${failed[0]}`;
}

const SHOWN_TOOLS = 5;

/** Names the tools that the new release must not run before somebody has looked at them. */
function heldText(value: unknown): string {
	if (typeof value !== "object" || value === null || !("held" in value)) return "";
	const { tools, remedy } = value.held as HeldByRollout;
	const more = tools.length - SHOWN_TOOLS;
	const names = tools.slice(0, SHOWN_TOOLS).map(plainText).join(", ");
	return `; ${names}${more > 0 ? ` and ${more} more` : ""} cannot be run before approval: ${remedy}`;
}
