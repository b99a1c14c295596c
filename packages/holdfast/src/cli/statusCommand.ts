import { setTimeout as delay } from "node:timers/promises";
import { askHost, type HostHealth, type HostState, runningHosts } from "libmcp/host";
import { say, table, tint } from "./output.ts";
import { readArguments } from "./usage.ts";

export const help = `Usage: holdfast status [--json] [--watch]

Shows every host that runs for you: its process, its server's process and
state, restarts, calls in flight and the last fault. --watch shows it again
every second.`;

/** The column that has it. */
const STATE = 4;

type Status = HostState & { readonly health: HostHealth };

export async function run(args: readonly string[]): Promise<number> {
	const { values } = readArguments(args, { json: { type: "boolean" }, watch: { type: "boolean" } });
	for (;;) {
		const hosts = await statuses();
		const text = values.json === true ? JSON.stringify(hosts) : render(hosts);
		say(values.watch === true && process.stdout.isTTY ? `\u001b[H\u001b[2J${text}` : text);
		if (values.watch !== true) return 0;
		await delay(1_000);
	}
}

async function statuses(): Promise<Status[]> {
	const answers = runningHosts().map(async (host) => {
		const answer = await askHost(host.path, { op: "status" }, 2_000).catch(() => undefined);
		// What a host of this user says of itself on its own socket has the shape its type says.
		return answer?.ok === true ? [answer.value as Status] : [];
	});
	return (await Promise.all(answers)).flat();
}

function render(hosts: readonly Status[]): string {
	if (hosts.length === 0) return tint("dim", "no hosts are running for you; what holdfast up serves is in its console");
	const rows = hosts.map(({ name, pid, workerPid, health }) => [
		name,
		String(pid),
		workerPid === undefined ? "none" : String(workerPid),
		String(health.generation),
		health.rollout === "stable" ? health.state : `${health.state} (${health.rollout})`,
		String(health.restartCount),
		String(health.inFlight),
		String(health.waiting),
		health.lastFault === null ? "none" : `${health.lastFault.class}: ${health.lastFault.code}`,
	]);
	const headings = ["NAME", "PID", "SERVER", "GEN", "STATE", "RESTARTS", "IN FLIGHT", "WAITING", "LAST FAULT"];
	return table(headings, rows, (cell, column) => {
		if (column === STATE) return cell.startsWith("ready") ? "good" : cell.startsWith("failing") ? "bad" : "warn";
		return cell === "none" ? "dim" : undefined;
	});
}
