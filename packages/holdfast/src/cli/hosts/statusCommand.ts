import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode, plainText } from "libmcp/command";
import { askHost, type HostHealth, type HostState, type RunningHost, runningHosts } from "libmcp/control";
import { readArguments } from "../arguments.ts";
import { colour, say } from "../output.ts";
import { drawTable } from "../terminal.ts";
import { ANSWER_MS, readOwnName } from "./findHost.ts";

export const help = `Usage: holdfast status [--json] [--watch]

Shows every host you run, and every server behind a gateway you run: its
process, its server's process and state, restarts, calls in flight and the
last fault. Of hosts with one name it also says who started each, and where, if
the system tells. --watch repeats it every second.

Exits 1 if one of them does not answer.`;

/** The index of the STATE column. */
const STATE = 4;

/** A host, or a server behind a gateway, which has a connection too and, over HTTP, no process. */
type Status = Pick<HostState, "name" | "pid" | "workerPid"> & {
	readonly gateway?: string;
	/** What the gateway itself is still busy with. */
	readonly underWay?: string;
	/** What the gateway has tried beside serving, and failed to do. */
	readonly problem?: string;
	/** Why the gateway does not use its changed configuration. */
	readonly configProblem?: string;
	/** The processes of clients that use the server at a path of its own. */
	readonly sessionPids?: readonly number[];
	/** How many of its tools wait for approval. */
	readonly approvals?: string;
	/** The command that logs in to a server that needs it. */
	readonly login?: string;
	readonly health: HostHealth & { readonly connection?: { readonly kind: string; readonly reason?: string } };
};

/** A host that exists but does not answer, because it is stopped or busy. */
type Silent = Pick<RunningHost, "name" | "pid"> & { readonly unresponsive: true };

export async function run(args: readonly string[]): Promise<number> {
	const { values } = readArguments(args, { json: { type: "boolean" }, watch: { type: "boolean" } });
	for (;;) {
		const hosts = await collectStatuses();
		const redraws = values.watch === true && process.stdout.isTTY;
		const text =
			values.json === true ? JSON.stringify(hosts) : redraws ? fitLine(hosts, process.stdout.rows) : render(hosts);
		say(redraws ? `\u001b[H\u001b[2J${text}` : text);
		if (values.watch !== true) return hosts.some(isSilent) ? 1 : 0;
		await delay(1_000);
	}
}

/** Everything that runs, each as it tells of itself. */
export async function collectStatuses(): Promise<(Status | Silent)[]> {
	const answers = runningHosts().map(async ({ name, pid, path }): Promise<(Status | Silent)[]> => {
		try {
			const answer = await askHost(path, { op: "status" }, ANSWER_MS);
			// The answer is trusted, because it comes from the user's own host on its own socket.
			return answer.ok ? [answer.value as Status] : [];
		} catch (error) {
			// A host that just ended is not listed; one out of file descriptors hangs up, and is.
			const isGone = isUnattended(error) || !runningHosts().some((one) => one.path === path);
			return isGone ? [] : [{ name: readOwnName(name), pid, unresponsive: true }];
		}
	});
	const found = (await Promise.all(answers)).flat();
	return found.sort((a, b) => a.name.localeCompare(b.name) || a.pid - b.pid);
}

/** Whether nobody listens at the socket, or there is none any more. */
function isUnattended(error: unknown): boolean {
	const code = errorCode(error);
	return code === "ECONNREFUSED" || code === "ENOENT";
}

function isSilent(status: Status | Silent): status is Silent {
	return "unresponsive" in status;
}

/** As many of them as a window of `rows` lines shows; if it cannot show all, those that are not ready come first. */
export function fitLine(statuses: readonly (Status | Silent)[], rows: number): string {
	const whole = render(statuses);
	// The line below the text stays empty.
	const fits = (text: string): boolean => text.split("\n").length < rows;
	if (fits(whole) || statuses.length === 0) return whole;
	const ordered = statuses.toSorted((a, b) => Number(isReady(a)) - Number(isReady(b)));
	for (let count = ordered.length - 1; count > 1; count--) {
		const text = withRest(ordered, count);
		if (fits(text)) return text;
	}
	return withRest(ordered, 1);
}

function withRest(ordered: readonly (Status | Silent)[], count: number): string {
	const rest = ordered.slice(count);
	const waiting = rest.filter((one) => !isReady(one)).length;
	const how = waiting === 0 ? "all ready" : `${waiting} of them not ready`;
	return `${render(ordered.slice(0, count))}\n${colour("dim", `and ${rest.length} more, ${how}`)}`;
}

function isReady(status: Status | Silent): boolean {
	return !isSilent(status) && stateOf(status.health).startsWith("ready");
}

function render(statuses: readonly (Status | Silent)[]): string {
	if (statuses.length === 0)
		return colour(
			"dim",
			"you run no host, and no server behind a gateway (one without servers is not listed); holdfast up starts some",
		);
	const rows = statuses.map((status) => (isSilent(status) ? silentRow(status) : rowOf(status)));
	const headings = ["NAME", "PID", "SERVER", "GEN", "STATE", "RESTARTS", "IN FLIGHT", "WAITING", "LAST FAULT"];
	const shown = drawTable(headings, rows, (cell, column) => {
		if (column !== STATE) return undefined;
		return cell.startsWith("ready") ? "good" : /^(?:fail|no answer)/.test(cell) ? "bad" : "warn";
	});
	const notes = [...gatewaysOf(statuses), ...approvalsOf(statuses), ...sessionsOf(statuses), ...originsOf(statuses)];
	return [shown, ...notes.map((line) => colour("dim", plainText(line)))].join("\n");
}

function rowOf({ name, pid, workerPid, login, health }: Status): (string | undefined)[] {
	// Without a process and a connection, the generation and the restarts only count attempts.
	const isAway = workerPid === undefined && awayAs(health) !== undefined;
	return [
		name,
		String(pid),
		workerPid?.toString(),
		isAway ? undefined : String(health.generation),
		stateOf(health),
		isAway ? undefined : String(health.restartCount),
		String(health.inFlight),
		String(health.waiting),
		troubleOf(login, health),
	];
}

function silentRow({ name, pid }: Silent): string[] {
	return [name, String(pid), "?", "?", "no answer", "?", "?", "?", `process ${pid} is stopped or busy`];
}

function gatewaysOf(statuses: readonly (Status | Silent)[]): string[] {
	const answering = statuses.filter((one): one is Status => !isSilent(one));
	const lines = answering.flatMap(({ pid, gateway, underWay }) => {
		if (gateway === undefined) return underWay === undefined ? [] : [`gateway ${pid}: ${underWay}`];
		return [`gateway ${pid} serves at ${gateway}${underWay === undefined ? "" : `; ${underWay}`}`];
	});
	const problems = answering.flatMap(({ pid, problem, configProblem }) =>
		[problem, configProblem].flatMap((why) => (why === undefined ? [] : [`gateway ${pid}: ${why}`])),
	);
	return [...new Set([...lines, ...problems])];
}

function approvalsOf(statuses: readonly (Status | Silent)[]): string[] {
	return statuses.flatMap((one) =>
		isSilent(one) || one.approvals === undefined ? [] : [`${one.name}: ${one.approvals}`],
	);
}

function sessionsOf(statuses: readonly (Status | Silent)[]): string[] {
	return statuses.flatMap((one) => {
		const pids = isSilent(one) ? [] : (one.sessionPids ?? []);
		return pids.length === 0
			? []
			: [`${one.name}: clients at its own path have processes of their own: ${pids.join(", ")}`];
	});
}

/** Tells servers of one name apart, because each agent starts its own copy. */
function originsOf(statuses: readonly Pick<Status, "name" | "pid">[]): string[] {
	const alike = statuses.filter(({ name, pid }) => statuses.some((one) => one.name === name && one.pid !== pid));
	return [...new Set(alike.map(({ pid }) => pid))].flatMap((pid) => {
		const origin = describeOrigin(pid);
		return origin === undefined ? [] : [`${pid}: ${origin}`];
	});
}

/** The server's state, or the connection's if the server is not connected. */
function stateOf(health: Status["health"]): string {
	const { state, rollout } = health;
	return awayAs(health) ?? (rollout === "stable" ? state : `${state} (${rollout})`);
}

/** What the connection is while it is not ready. */
function awayAs({ connection }: Status["health"]): string | undefined {
	return connection === undefined || connection.kind === "ready" ? undefined : connection.kind.replace("_", " ");
}

function troubleOf(login: string | undefined, { lastFault, connection }: Status["health"]): string | undefined {
	if (connection?.reason !== undefined) return `${connection.reason}${login === undefined ? "" : `; ${login}`}`;
	return lastFault === null ? undefined : `${lastFault.class}: ${lastFault.code}`;
}

/** Who started a process and in which folder, to tell hosts of one name apart; `undefined` if the system hides it. */
export function describeOrigin(pid: number): string | undefined {
	const parent = known(() => /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
	// Its first thread's name is Node's own, not the program's.
	const starter = known(
		() => basename(readFileSync(`/proc/${parent ?? ""}/cmdline`, "utf8").split("\0")[0] ?? "") || undefined,
	);
	const folder = known(() => readlinkSync(`/proc/${pid}/cwd`));
	const parts = [
		...(starter === undefined ? [] : [`started by ${starter} (${parent})`]),
		...(folder === undefined ? [] : [`runs in ${folder}`]),
	];
	return parts.length === 0 ? undefined : parts.join(", ");
}

function known(read: () => string | undefined): string | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}
