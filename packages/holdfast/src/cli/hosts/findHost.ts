import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { failureText, suggestion, UsageError } from "libmcp/command";
import {
	askHost,
	type ControlRequest,
	fileName,
	parseRecord,
	type RunningHost,
	runningHosts,
	stateFolder,
} from "libmcp/control";
import { nameGiven } from "../arguments.ts";

/** How long a host may take to say how it is, which it always can while it runs. */
export const ANSWER_MS = 2_000;

/** The running host of that name; `pid` selects among several. */
export function findHost(name: string | undefined, pid: string | undefined): RunningHost {
	const [only, ...others] = findHosts(name, pid);
	if (others.length === 0) return only;
	const all = [only, ...others];
	throw new UsageError(
		`name: expected one host, but ${all.length} are called ${name}; add --pid ${all.map((one) => one.pid).join(" or ")}, or --all`,
	);
}

/** All running hosts of that name. */
export function findHosts(
	name: string | undefined,
	pid?: string,
): readonly [first: RunningHost, ...others: RunningHost[]] {
	const running = runningHosts();
	if (name === undefined)
		throw new UsageError(`name: expected a host's name, got nothing; running: ${joinNames(running)}`);
	// A host's socket is named after the host, in the form that file names allow.
	const named = running.filter((one) => one.name === fileName(name));
	if (named.length === 0) {
		const meant = suggestion(
			name,
			running.map((one) => readOwnName(one.name)),
			`running: ${joinNames(running)}`,
		);
		throw new Error(`no running host is called ${JSON.stringify(name)}${meant}`);
	}
	const found = named.filter((one) => pid === undefined || String(one.pid) === pid);
	const [first, ...others] = found.map((one) => ({ ...one, name }));
	if (first === undefined)
		throw new UsageError(`--pid: expected ${named.map((one) => one.pid).join(" or ")}, got ${nameGiven(pid)}`);
	return [first, ...others];
}

/** Returns the value of a host's answer, or throws its fault as an error. */
export async function askFor(host: RunningHost, request: ControlRequest): Promise<unknown> {
	// A host that is stopped would do what it was asked whenever it goes on, long after the person gave up.
	await askHost(host.path, { op: "status" }, ANSWER_MS).catch((error: unknown) => {
		throw new Error(`${host.name} (pid ${host.pid}) does not answer: ${failureText(error)}; nothing was changed`);
	});
	const answer = await askHost(host.path, request).catch((error: unknown) => {
		throw new Error(`${failureText(error)}; it may be under way all the same: holdfast status tells`);
	});
	if (answer.ok) return answer.value;
	const { detail, class: kind, code } = answer.fault;
	throw new Error(`${detail} (${kind}, ${code})`);
}

function joinNames(hosts: readonly RunningHost[]): string {
	return hosts.map((host) => readOwnName(host.name)).join(", ") || "none; holdfast up and holdfast host start some";
}

/** The name that a host or server was given, where its files had to be called otherwise; the first line of its log has it. */
export function readOwnName(inFiles: string): string {
	if (!REDUCED.test(inFiles)) return inFiles;
	const record = parseRecord(firstLine(join(stateFolder(), `${inFiles}.jsonl`)));
	return record?.event === "log_opened" && fileName(record.name) === inFiles ? record.name : inFiles;
}

const REDUCED = /-[0-9a-f]{6}$/;
const LONGEST = 65_536;

/** Nothing, where there is no log or it cannot be read. */
function firstLine(path: string): string {
	let fd: number | undefined;
	try {
		fd = openSync(path, "r");
		const bytes = Buffer.alloc(LONGEST);
		const [line = ""] = bytes.toString("utf8", 0, readSync(fd, bytes)).split("\n", 1);
		return line;
	} catch {
		return "";
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}
