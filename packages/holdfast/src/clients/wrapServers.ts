import { isDeepStrictEqual } from "node:util";
import { ownWords } from "metatools/config";
import { editTable, readEntries, setMembers } from "./clientFile.ts";
import type { Client } from "./clientTable.ts";
import { type Command, isRecord, type NewCommand, readCommand } from "./serverEntry.ts";

/** A client's file, and the paths of keys in it down to each table of servers. */
export type ServerFile = {
	readonly client: Client;
	readonly path: string;
	readonly text: string;
	readonly keys: readonly (readonly string[])[];
};

export type Wrapping = {
	readonly text: string;
	/** Servers whose command changed. */
	readonly changed: readonly string[];
	/** Servers left as they are, each with the reason. */
	readonly left: readonly string[];
};

/** Puts a host before each server that the client starts by a command; `host` gives the host's own command. */
export function wrapServers(file: ServerFile, host: (name: string) => Command, ownName: string): Wrapping {
	return changeCommands(file, (name, given) => {
		if (name === ownName) return `${name} (is the gateway, which has its own)`;
		if (unwrapCommand(given) !== undefined) return `${name} (has one already)`;
		const { command, args } = host(name);
		return { command, args: [...args, "--", given.command, ...given.args] };
	});
}

/** Whether a server keeps its host: one list of a file may have a server of the same name as another. */
export type Keeps = (key: readonly string[], name: string) => boolean;

/** Removes Holdfast's hosts from the client's file, but those that are kept; `was` is the text before them. */
export function unwrapServers(file: ServerFile, keeps: Keeps = () => false, was = ""): Wrapping {
	return changeCommands(file, (name, given, key) => {
		const own = unwrapCommand(given);
		if (own === undefined) return `${name} (has none)`;
		if (keeps(key, name)) return `${name} (had one before)`;
		const { [name]: entry } = readEntries(file.client, file.path, was, key);
		const { command, args } = readCommand(isRecord(entry) ? entry : {});
		const hadNone = command === own.command && args === undefined && own.args.length === 0;
		return hadNone ? { command: own.command } : own;
	});
}

/** Finds the hosts that somebody wrote by hand: they have other options than the ones put there by `wrap`. */
export function findHandWrapped(file: ServerFile): Keeps {
	const found = new Set<string>();
	const placeOf = (key: readonly string[], name: string) => JSON.stringify([key, name]);
	changeCommands(file, (name, given, key) => {
		const { rest = [] } = ownWords(given) ?? {};
		const options = rest.slice(1, rest.indexOf("--"));
		const ours = [true, false].map((opsTools) => writeHostOptions(name, opsTools));
		if (unwrapCommand(given) !== undefined && !ours.some((one) => isDeepStrictEqual(one, options)))
			found.add(placeOf(key, name));
		return name;
	});
	return (key, name) => found.has(placeOf(key, name));
}

/** The options of the host that `wrap` puts before a server. */
export function writeHostOptions(name: string, opsTools: boolean): string[] {
	// Written with `=`, because a name that begins with a dash would be taken for an option.
	const named = name.startsWith("-") ? [`--name=${name}`] : ["--name", name];
	// A model reads every tool's description with each request, so wrapping many servers must not add tools to each.
	return opsTools ? named : [...named, "--no-ops-tools"];
}

/** The server's own command after `holdfast host … --`, or `undefined` without a host. */
export function unwrapCommand(given: Command): Command | undefined {
	const { program, rest = [] } = ownWords(given) ?? {};
	if (program !== "holdfast" || rest[0] !== "host" || !rest.includes("--")) return undefined;
	const [command, ...args] = rest.slice(rest.indexOf("--") + 1);
	return command === undefined ? undefined : { command, args };
}

function changeCommands(
	{ client, path, text, keys }: ServerFile,
	change: (name: string, given: Command, key: readonly string[]) => NewCommand | string,
): Wrapping {
	const changed: string[] = [];
	const left: string[] = [];
	const changeOne = (
		part: string,
		{ at, key }: Record<"at" | "key", readonly string[]>,
		name: string,
		value: unknown,
	): string => {
		const { at: within, command, args = [], saying } = readCommand(isRecord(value) ? value : {});
		if (typeof command !== "string" || !Array.isArray(args)) {
			left.push(`${name} (${typeof command === "string" ? "its args are no list" : "no command starts it"})`);
			return part;
		}
		const outcome = change(name, { command, args: args.map(String) }, key);
		if (typeof outcome === "string") {
			left.push(outcome);
			return part;
		}
		changed.push(name);
		return setMembers(client, path, part, [...at, name, ...within], saying(outcome));
	};
	const edited = keys.reduce(
		(whole, key) =>
			editTable(client, path, whole, key, (part, at) =>
				Object.entries(readEntries(client, path, part, at)).reduce(
					(done, [name, value]) => changeOne(done, { at, key }, name, value),
					part,
				),
			),
		text,
	);
	return { text: edited, changed, left };
}
