import {
	answerControl,
	type ControlAnswer,
	type ControlRequest,
	type ControlServer,
	type Fault,
	type FaultClass,
	type FaultFields,
	faultMaker,
	type RetryAdvice,
	serveControl,
} from "libmcp";
import { shellWord } from "libmcp/command";
import type { CatalogTool, Gateway, Upstream } from "metatools";

/** Sockets through which `holdfast status` and `rollout` reach the servers behind a gateway like hosts. */
export type ControlSockets = {
	/** Opens a socket for each new server, and closes those of removed servers. */
	follow(): void;
	close(): void;
};

export type ControlOptions = {
	/** Where the gateway serves, if at an address. */
	readonly address?: string;
	/** What the gateway itself does beside serving, and how it fails. */
	readonly busyWith?: { readonly underWay: string | undefined; readonly problem: string | undefined };
	readonly log: (line: string) => void;
};

/** What a gateway tells of itself beside its servers. */
type Told = "catalog" | "configProblem" | "quarantine" | "waiting";

export function openControlSockets(
	gateway: Pick<Gateway, "upstreams" | Told>,
	{ address, log, busyWith }: ControlOptions,
): ControlSockets {
	const { upstreams } = gateway;
	const open = new Map<string, Promise<ControlServer | undefined>>();
	const serverNamed = (name: string) => upstreams.all.find(({ spec }) => spec.name === name);
	let isToldWhy = false;
	const failed = (thrown: unknown): undefined => {
		if (!isToldWhy) log(`holdfast status will not list these servers: ${String(thrown)}`);
		isToldWhy = true;
	};
	const take = (name: string): void => {
		void open.get(name)?.then((server) => server?.close());
		open.delete(name);
	};
	return {
		follow() {
			if (process.platform === "win32") return;
			for (const name of open.keys()) if (serverNamed(name) === undefined) take(name);
			for (const { spec } of upstreams.all) {
				if (open.has(spec.name)) continue;
				const server = serveControl(spec.name, async (request) => {
					const upstream = serverNamed(spec.name);
					if (upstream === undefined) return refused(spec.name, "is not behind the gateway any more");
					if (request.op === "status") return { ok: true, value: statusOf(upstream, gateway, { address, busyWith }) };
					return answerFor(upstream, request, gateway);
				});
				open.set(spec.name, server.catch(failed));
			}
		},
		close() {
			for (const name of open.keys()) take(name);
		},
	};
}

/** Restarts and rollouts reach also the processes of clients that use the server at its own path. */
async function answerFor(
	upstream: Upstream,
	request: ControlRequest,
	gateway: Pick<Gateway, Told>,
): Promise<ControlAnswer> {
	const { host, spec, sessionHosts } = upstream;
	if (host === undefined) return refused(spec.name, whyNoProcess(upstream));
	const heldNow = listHeldByRollout(upstream, gateway);
	const answer = await answerControl(host, request);
	if (!answer.ok) return request.op === "reinstall" ? withRemedy(answer) : answer;
	if (request.op === "restart") await sessionHosts.restart();
	if (request.op !== "rollout") return answer;
	const sessions = { path: `/mcp/${spec.namespace}`, ...(await sessionHosts.rollout(request.command)) };
	const outcome: { readonly changed?: readonly string[] } = Object(answer.value);
	const held = outcome.changed?.includes("tools") === true ? await heldNow() : undefined;
	return { ok: true, value: { ...outcome, sessions, ...(held !== undefined && { held }) } };
}

/** A gateway has no session that its successor could take over. */
function withRemedy({ fault }: Extract<ControlAnswer, { ok: false }>): ControlAnswer {
	const remedy = "restart the gateway, or the agent that started it, to use the installed version";
	return { ok: false, fault: { ...fault, detail: `${fault.detail}: ${remedy}` } };
}

type GatewayState = { readonly [Part in "address" | "busyWith"]: ControlOptions[Part] | undefined };

/** Like a host's own status, but without the command, whose environment may hold secrets. */
function statusOf(upstream: Upstream, gateway: Pick<Gateway, Told>, { address, busyWith }: GatewayState): object {
	const { underWay, problem } = busyWith ?? {};
	const host = upstream.host?.state();
	const sessionPids = upstream.sessionHosts.workerPids;
	const approvals = gateway.waiting.note(gateway.catalog.toolsOf(upstream.spec.namespace));
	return {
		name: upstream.spec.name,
		pid: process.pid,
		...(host?.workerPid !== undefined && { workerPid: host.workerPid }),
		...(address !== undefined && { gateway: address }),
		...(underWay !== undefined && { underWay }),
		...(problem !== undefined && { problem }),
		...(gateway.configProblem !== undefined && { configProblem: gateway.configProblem }),
		...(upstream.state.kind === "needs_auth" && { login: upstream.login }),
		...(sessionPids.length > 0 && { sessionPids }),
		...(approvals !== undefined && { approvals }),
		health: { waiting: 0, ...upstream.health() },
	};
}

function whyNoProcess({ spec: { kind, name } }: Upstream): string {
	return kind === "stdio"
		? `has no process that runs now; holdfast logs ${shellWord(name)} says why, and it is tried again by itself`
		: "has no process here";
}

function refused(name: string, why: string): ControlAnswer {
	return { ok: false, fault: createFault("not_running", { detail: `${name} ${why}` }) };
}

/** Tools that cannot be run before somebody approves them, and what a person can do about that. */
export type HeldByRollout = { readonly tools: readonly string[]; readonly remedy: string };

/** How long the new list may take to arrive at the gateway. */
const LISTING_MS = 5_000;

/** Called before a rollout; what it returns, called after it, finds the tools that the new release causes to be held. */
export function listHeldByRollout(
	upstream: Upstream,
	gateway: Pick<Gateway, "catalog" | "quarantine" | "waiting">,
): () => Promise<HeldByRollout | undefined> {
	const held = (): CatalogTool[] => {
		const { catalog, quarantine } = gateway;
		return quarantine?.waiting(catalog.toolsOf(upstream.spec.namespace)).map(({ tool }) => tool) ?? [];
	};
	const before = new Set(held().map(definitionOf));
	return async () => {
		upstream.refresh();
		// A list that does not arrive is told of elsewhere; the rollout has succeeded all the same.
		await upstream.settled(AbortSignal.timeout(LISTING_MS)).catch(() => {});
		const tools = held().filter((tool) => !before.has(definitionOf(tool)));
		return tools.length === 0 ? undefined : { tools: tools.map(({ id }) => id), remedy: gateway.waiting.remedy };
	};
}

function definitionOf({ id, fingerprint }: CatalogTool): string {
	return `${id} ${fingerprint}`;
}

type FaultRow = { readonly class: FaultClass; readonly retry: RetryAdvice; readonly when: string };

/** Every fault that `holdfast up` reports itself; most faults come from the hosts of its servers. */
export const FAULTS = {
	not_running: { class: "process", retry: "later", when: "a command needs the process of a server that has none now" },
} as const satisfies Readonly<Record<string, FaultRow>>;

export type FaultCode = keyof typeof FAULTS;

/** Creates a fault of the table above. */
export const createFault: (code: FaultCode, fields: FaultFields) => Fault = faultMaker(FAULTS);
