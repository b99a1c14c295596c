import { failureText, suggestion, UsageError } from "libmcp/command";
import { askHost, type ControlRequest, fileName, type RunningHost, runningHosts } from "libmcp/control";
import { came } from "./came.ts";
import { ownName } from "./ownName.ts";

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
	if (name === undefined) throw new UsageError(`name: expected a host's name, got nothing; running: ${names(running)}`);
	// A host's socket is named after the host, in the form that file names allow.
	const named = running.filter((one) => one.name === fileName(name));
	if (named.length === 0) {
		const meant = suggestion(
			name,
			running.map((one) => ownName(one.name)),
			`running: ${names(running)}`,
		);
		throw new Error(`no running host is called ${JSON.stringify(name)}${meant}`);
	}
	const found = named.filter((one) => pid === undefined || String(one.pid) === pid);
	const [first, ...others] = found.map((one) => ({ ...one, name }));
	if (first === undefined)
		throw new UsageError(`--pid: expected ${named.map((one) => one.pid).join(" or ")}, got ${came(pid)}`);
	return [first, ...others];
}

/** Returns the value of a host's answer, or throws its fault as an error. */
export async function ask(host: RunningHost, request: ControlRequest): Promise<unknown> {
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

function names(hosts: readonly RunningHost[]): string {
	return hosts.map((host) => ownName(host.name)).join(", ") || "none; holdfast up and holdfast host start some";
}
