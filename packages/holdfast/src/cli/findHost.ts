import { askHost, type ControlRequest, fileName, type RunningHost, runningHosts } from "libmcp/host";
import { UsageError } from "./usage.ts";

/** The running host of that name; `pid` selects among several. */
export function findHost(name: string | undefined, pid: string | undefined): RunningHost {
	const running = runningHosts();
	if (name === undefined) throw new UsageError(`name: expected a host's name, got nothing; running: ${names(running)}`);
	// Hosts are found by their sockets, whose names are the file-name form of the host's name.
	const found = running.filter((one) => one.name === fileName(name) && (pid === undefined || String(one.pid) === pid));
	const [only] = found;
	if (only === undefined)
		throw new Error(`no running host is called ${JSON.stringify(name)}; running: ${names(running)}`);
	if (found.length > 1) {
		throw new UsageError(
			`name: expected one host, but ${found.length} are called ${name}; add --pid ${found.map((one) => one.pid).join(" or ")}`,
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
	return hosts.map((host) => host.name).join(", ") || "none; holdfast up and holdfast host start some";
}
