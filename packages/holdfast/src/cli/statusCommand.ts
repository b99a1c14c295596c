import { setTimeout as delay } from "node:timers/promises";
import { plainText } from "libmcp/command";
import { askHost, type HostHealth, type HostState, runningHosts } from "libmcp/host";
import { say, tint } from "./output.ts";
import { processOrigin } from "./processOrigin.ts";
import { table } from "./table.ts";
import { typedName } from "./typedName.ts";
import { readArguments } from "./usage.ts";

export const help = `Usage: holdfast status [--json] [--watch]

Shows every host you run, and every server behind a gateway you run: its
process, its server's process and state, restarts, calls in flight and the
last fault. Of hosts with one name it also says who started each, and where, if
the system tells. --watch repeats it every second.`;

/** The index of the STATE column. */
const STATE = 4;

/** A host, or a server behind a gateway, which has a connection too and, over HTTP, no process. */
type Status = Pick<HostState, "name" | "pid" | "workerPid"> & {
	readonly gateway?: string;
	/** The processes of clients that use the server at a path of its own. */
	readonly sessionPids?: readonly number[];
	readonly health: HostHealth & { readonly connection?: { readonly kind: string; readonly reason?: string } };
};

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
		// The answer is trusted, because it comes from the user's own host on its own socket.
		return answer?.ok === true ? [answer.value as Status] : [];
	});
	const found = (await Promise.all(answers)).flat();
	return found.sort((a, b) => a.name.localeCompare(b.name) || a.pid - b.pid);
}

function render(statuses: readonly Status[]): string {
	if (statuses.length === 0)
		return tint("dim", "you run no host, and no server behind a gateway; holdfast up starts some");
	const rows = statuses.map(({ name, pid, workerPid, health }) => [
		name,
		String(pid),
		workerPid?.toString(),
		String(health.generation),
		stateOf(health),
		String(health.restartCount),
		String(health.inFlight),
		String(health.waiting),
		faultOf(name, health),
	]);
	const headings = ["NAME", "PID", "SERVER", "GEN", "STATE", "RESTARTS", "IN FLIGHT", "WAITING", "LAST FAULT"];
	const shown = table(headings, rows, (cell, column) => {
		if (column !== STATE) return undefined;
		return cell.startsWith("ready") ? "good" : cell.startsWith("fail") ? "bad" : "warn";
	});
	const notes = [...gatewaysOf(statuses), ...sessionsOf(statuses), ...originsOf(statuses)];
	return [shown, ...notes.map((line) => tint("dim", plainText(line)))].join("\n");
}

function gatewaysOf(statuses: readonly Status[]): string[] {
	const lines = statuses.flatMap(({ pid, gateway }) =>
		gateway === undefined ? [] : [`gateway ${pid} serves at ${gateway}`],
	);
	return [...new Set(lines)];
}

function sessionsOf(statuses: readonly Status[]): string[] {
	return statuses.flatMap(({ name, sessionPids = [] }) =>
		sessionPids.length === 0
			? []
			: [`${name}: clients at its own path have processes of their own: ${sessionPids.join(", ")}`],
	);
}

/** Tells servers of one name apart, because each agent starts its own copy. */
function originsOf(statuses: readonly Status[]): string[] {
	const alike = statuses.filter(({ name, pid }) => statuses.some((one) => one.name === name && one.pid !== pid));
	return [...new Set(alike.map(({ pid }) => pid))].flatMap((pid) => {
		const origin = processOrigin(pid);
		return origin === undefined ? [] : [`${pid}: ${origin}`];
	});
}

/** The server's state, or the connection's if the server is not connected. */
function stateOf({ state, rollout, connection }: Status["health"]): string {
	if (connection !== undefined && connection.kind !== "ready") return connection.kind.replace("_", " ");
	return rollout === "stable" ? state : `${state} (${rollout})`;
}

function faultOf(name: string, { lastFault, connection }: Status["health"]): string | undefined {
	if (connection?.reason !== undefined)
		return `${connection.reason}${connection.kind === "needs_auth" ? `; ${typedName()} login ${name}` : ""}`;
	return lastFault === null ? undefined : `${lastFault.class}: ${lastFault.code}`;
}
