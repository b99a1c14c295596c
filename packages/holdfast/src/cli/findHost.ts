import { askHost, type ControlRequest, fileName, type RunningHost, runningHosts } from "libmcp/host";
import { UsageError } from "./usage.ts";

/** The running host of that name; `pid` selects among several. */
export function findHost(name: string | undefined, pid: string | undefined): RunningHost {
	const running = runningHosts();
	if (name === undefined)
		throw new UsageError(`name: expected that of a host, got nothing; running: ${names(running)}`);
	// Hosts are found by their sockets, whose names are the file-name form of the host's name.
	const found = running.filter((one) => one.name === fileName(name) && (pid === undefined || String(one.pid) === pid));
	const [only] = found;
	if (only === undefined) throw new Error(`no host ${JSON.stringify(name)} runs for you; running: ${names(running)}`);
	if (found.length > 1) {
		throw new UsageError(
			`name: expected that of one host, got ${name}, which ${found.length} have; add --pid ${found.map((one) => one.pid).join(" or ")}`,
		);
	}
	return { ...only, name };
}

/** The value of a host's answer; its fault becomes the error. */
export async function ask(host: RunningHost, request: ControlRequest): Promise<unknown> {
	const answer = await askHost(host.path, request);
	if (answer.ok) return answer.value;
	const { detail, class: kind, code } = answer.fault;
	throw new Error(`${detail} (${kind}, ${code})`);
}

function names(hosts: readonly RunningHost[]): string {
	return hosts.map((host) => host.name).join(", ") || "none";
}
