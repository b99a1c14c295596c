import type { Upstream } from "metatools";
import type { Answers, ContextShare, ContextUse, Server } from "../answers.ts";
import { ApiError } from "../apiError.ts";
import {
	type ApiCall,
	COUNT,
	describeBody,
	describeList,
	describeObject,
	type Endpoint,
	measureContextUse,
	OBJECT,
	TEXT,
} from "../endpoint.ts";

const SERVER = describeObject<Server>(
	{
		name: TEXT,
		namespace: TEXT,
		description: TEXT,
		kind: { enum: ["stdio", "http", "sse", "unusable"] },
		state: { enum: ["connecting", "ready", "failed", "needs_auth", "stopped"] },
		lifecycle: TEXT,
		since: TEXT,
		reason: TEXT,
		login: TEXT,
		retryAt: TEXT,
		generation: COUNT,
		restarts: COUNT,
		inFlight: COUNT,
		waiting: COUNT,
		tools: COUNT,
		pid: COUNT,
		rollout: TEXT,
		lastFault: { type: ["object", "null"] },
		problems: describeList(TEXT),
	},
	["name", "namespace", "kind", "state", "since", "generation", "restarts", "inFlight", "tools", "lastFault"],
);

const CONTEXT = describeObject<ContextShare>({ tools: COUNT, tokens: COUNT });

export const serverEndpoints: readonly Endpoint[] = [
	{
		method: "GET",
		path: "/api/servers",
		id: "listServers",
		summary: "Every server behind the gateway and how it is",
		answer: describeObject<Answers["listServers"]>(
			{
				servers: describeList(SERVER),
				context: describeObject<ContextUse>({ shown: CONTEXT, behind: CONTEXT }),
				configProblem: TEXT,
				version: TEXT,
				uptimeMs: COUNT,
			},
			["servers", "context", "version", "uptimeMs"],
		),
		handle: (call) => ({
			servers: call.gateway.upstreams.all.map((upstream) => serverOf(upstream, call)),
			context: measureContextUse(call.gateway),
			...(call.gateway.configProblem !== undefined && { configProblem: call.gateway.configProblem }),
			version: call.version,
			uptimeMs: Number(call.gateway.health().uptimeMs ?? 0),
		}),
	},
	{
		method: "POST",
		path: "/api/servers/{name}/restart",
		id: "restartServer",
		summary: "End the server's process; the next one takes over its calls as their contracts allow",
		body: describeBody({}),
		answer: describeObject({ ok: { const: true } }),
		async handle(call) {
			const upstream = serverNamed(call);
			if (upstream.spec.kind === "unusable")
				throw new ApiError("conflict", `${upstream.spec.name} cannot be started: ${upstream.spec.reason}`);
			if (upstream.host === undefined) upstream.reconnect();
			else await upstream.host.restart();
			await upstream.sessionHosts.restart();
			return { ok: true };
		},
	},
	{
		method: "POST",
		path: "/api/servers/{name}/rollout",
		id: "rollOutServer",
		summary: "Start the server's program anew and switch to it under live calls",
		body: describeBody({}),
		answer: describeObject<Answers["rollOutServer"]>({ generation: COUNT, changed: describeList(TEXT) }),
		async handle(call) {
			const { host, spec, sessionHosts } = serverNamed(call);
			if (host === undefined)
				throw new ApiError("conflict", `${spec.name} is not a program that runs here now, so it cannot be rolled out`);
			const outcome = await host.rollout();
			if (!outcome.ok) throw new ApiError("conflict", outcome.fault.detail, { fault: outcome.fault });
			const { switched, failed } = await sessionHosts.rollout();
			if (failed.length > 0)
				throw new ApiError(
					"conflict",
					`generation ${outcome.generation} serves, but ${failed.length} of the ${switched + failed.length} clients at /mcp/${spec.namespace} keep the old one: ${failed[0]}`,
				);
			return { generation: outcome.generation, changed: outcome.changed };
		},
	},
	{
		method: "GET",
		path: "/api/servers/{name}",
		id: "getServer",
		summary: "One server, with its own health and telemetry",
		answer: describeObject<Answers["getServer"]>({ server: SERVER, health: OBJECT, telemetry: OBJECT }),
		handle(call) {
			const upstream = serverNamed(call);
			return {
				server: serverOf(upstream, call),
				health: upstream.health(),
				telemetry: upstream.telemetry(),
			};
		},
	},
];

function serverNamed({ gateway, path: { name } }: ApiCall): Upstream {
	const found = gateway.upstreams.all.find(({ spec }) => spec.name === name);
	if (found === undefined) throw new ApiError("not_found", `no server is called ${JSON.stringify(name)}`);
	return found;
}

function serverOf(upstream: Upstream, { gateway }: ApiCall): Server {
	const { spec, state, problems } = upstream;
	const health = upstream.health();
	const host = upstream.host?.state();
	return {
		name: spec.name,
		namespace: spec.namespace,
		...(spec.description !== undefined && { description: spec.description }),
		kind: spec.kind,
		state: state.kind,
		lifecycle: health.state,
		since: state.since,
		...("reason" in state && { reason: state.reason }),
		...(state.kind === "needs_auth" && { login: upstream.login }),
		...("retryAt" in state && state.retryAt !== undefined && { retryAt: state.retryAt }),
		generation: health.generation,
		restarts: health.restartCount,
		inFlight: health.inFlight,
		waiting: host?.waiting ?? 0,
		...(host?.workerPid !== undefined && { pid: host.workerPid }),
		tools: gateway.catalog.toolsOf(spec.namespace).length,
		rollout: health.rollout,
		lastFault: health.lastFault ?? null,
		problems,
	};
}
