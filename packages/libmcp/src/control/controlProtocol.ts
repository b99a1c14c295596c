import { type Fault, FaultError, isFault } from "../fault/fault.ts";
import { makeFault } from "../fault/faultTable.ts";
import type { WorkerCommand } from "../host/worker/spawnWorker.ts";

/** What another process of the same user may ask of a host. */
export type ControlRequest =
	| { readonly op: "status" }
	| { readonly op: "telemetry" }
	| { readonly op: "restart" }
	/** Replaces the host's own program with the one on disk. */
	| { readonly op: "reinstall" }
	| { readonly op: "rollout"; readonly command?: WorkerCommand };

export type ControlAnswer =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly fault: Fault };

/** The host may be of another version; undefined when its answer is none of this one. */
export function parseControlAnswer(text: string): ControlAnswer | undefined {
	const answer: unknown = JSON.parse(text);
	if (typeof answer !== "object" || answer === null || !("ok" in answer)) return undefined;
	if (answer.ok === true) return { ok: true, value: "value" in answer ? answer.value : undefined };
	return "fault" in answer && isFault(answer.fault) ? { ok: false, fault: answer.fault } : undefined;
}

export function parseControlRequest(text: string): ControlRequest {
	const value: unknown = JSON.parse(text);
	if (typeof value !== "object" || value === null || !("op" in value)) throw wrong("an object with op", value);
	switch (value.op) {
		case "status":
		case "telemetry":
		case "restart":
		case "reinstall":
			return { op: value.op };
		case "rollout": {
			const command = "command" in value ? value.command : undefined;
			return command === undefined ? { op: "rollout" } : { op: "rollout", command: parseCommand(command) };
		}
		default:
			throw wrong("op status, telemetry, restart, reinstall or rollout", value.op);
	}
}

function parseCommand(value: unknown): WorkerCommand {
	if (typeof value !== "object" || value === null) throw wrong("command: an object", value);
	const { command, args = [], cwd } = value as Record<string, unknown>;
	if (typeof command !== "string" || command === "") throw wrong("command.command: a program", command);
	if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) throw wrong("command.args: strings", args);
	if (cwd !== undefined && typeof cwd !== "string") throw wrong("command.cwd: a path", cwd);
	return { command, args, ...(cwd === undefined ? {} : { cwd }) };
}

function wrong(expected: string, came: unknown): FaultError {
	const detail = `expected ${expected}, got ${String(JSON.stringify(came)).slice(0, 80)}`;
	return new FaultError(makeFault("bad_control_request", { detail }));
}
