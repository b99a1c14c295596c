import { failureText } from "libmcp/command";
import { type HttpEndpoint, McpEndpoint } from "libmcp/http";
import {
	type Config,
	createGateway,
	endpointOf,
	followConfig,
	type Gateway,
	gatewayServer,
	MountedUpstreams,
	metricsRoute,
	openAuthorized,
	openKeeping,
	openLocalDoor,
	openSite,
	ownKeeping,
	tellClients,
	tlsOf,
} from "metatools";
import { isApiPath, refuseInEnvelope } from "../api/apiError.ts";
import { createApiRoute } from "../api/apiRoute.ts";
import { IndexJob } from "../api/indexJob.ts";
import { readVersion } from "../config/installation.ts";
import { createConsoleRoute } from "../console/consoleRoute.ts";
import { combineWatches, HostWitness } from "../record/hostWitness.ts";
import { Recorder } from "../record/recorder.ts";
import { ServerLogs } from "../record/serverLogs.ts";
import type { OtlpExporter } from "../telemetry/otlpExporter.ts";
import { readOtlpSettings } from "../telemetry/otlpSettings.ts";
import { checkProduct, createLock, NO_OWNER } from "./lock.ts";

export type ProductOptions = {
	/** Reads the configuration; called again when one of its files has changed. */
	readonly configure: () => Config;
	/** Makes its holder the owner; without it and without `auth` in the configuration, everyone on this machine is. */
	readonly token?: string;
	/** The folder for servers' telemetry; without it, none is written. */
	readonly telemetryFolder?: string | undefined;
	/** The program that people type; default: `holdfast`. */
	readonly command?: string;
	readonly log: (line: string) => void;
};

/** The running product: one address with the gateway, its servers, the API and the console. */
export type Product = {
	readonly gateway: Gateway;
	readonly recorder: Recorder;
	readonly indexJob: IndexJob;
	/** `http://host:port`: MCP at `/mcp`, one server at `/mcp/<namespace>`, the API under `/api`, the console at `/`. */
	readonly address: string;
	/** Whether callers are asked for a token or a key. */
	readonly locked: boolean;
	/** Whether nobody can open the console, because there are keys but no owner's token. */
	readonly ownerless: boolean;
	/** The configuration it was started with, if there is one. */
	readonly configFile: string | undefined;
	/** Lets calls in flight finish, then ends every server and its processes. */
	close(): Promise<void>;
};

const MCP_PATH = "/mcp";

/** Starts everything; if a part cannot start, closes those that did. */
export async function startProduct(options: ProductOptions): Promise<Product> {
	const closing = new ClosingSteps();
	try {
		return await openProduct(options, closing);
	} catch (error) {
		await closing
			.run()
			.catch((failure: unknown) => options.log(`closing after a failed start: ${failureText(failure)}`));
		throw error;
	}
}

async function openProduct(options: ProductOptions, closing: ClosingSteps): Promise<Product> {
	const { configure, log, command = "holdfast" } = options;
	const config = configure();
	const { host, port, stateless, jsonResponse, sessionTimeout } = config.settings;
	let { auth } = config.sections;
	const lock = createLock(() => auth, options.token, host);
	const tls = tlsOf(config.settings);
	const recorder = new Recorder();
	const exporter = await openExporter(log);
	closing.add(() => exporter?.close());
	const logs = options.telemetryFolder === undefined ? undefined : new ServerLogs(options.telemetryFolder, log);
	const watch = combineWatches(recorder, new HostWitness(recorder, exporter), logs);
	const gateway = createGateway(config, { log, command, aroundRuns: recorder.aroundRuns, watch });
	closing.add(() => gateway.stop());
	recorder.attach(gateway);
	gateway.waiting.logNews(gateway.log);
	const indexJob = new IndexJob(gateway);
	const streams = new AbortController();
	const keeping = await openKeeping(config, log);
	closing.add(() => keeping?.close());
	const { fleet } = keeping ?? {};
	const api = createApiRoute({
		gateway,
		recorder,
		indexJob,
		fleet,
		version: `holdfast ${readVersion()}`,
		closing: streams.signal,
		log,
	});
	const server = gatewayServer(gateway);
	const serving = { stateless, jsonResponses: jsonResponse, sessionIdleMs: sessionTimeout };
	const endpoint = new McpEndpoint({
		...endpointOf(server, lock.viewerOf),
		...serving,
		...ownKeeping(keeping),
	});
	const served = fleet?.join(endpoint) ?? endpoint;
	// The site closes its endpoints too, but it may fail to open.
	closing.add(() => served.close(0));
	const mounted = new MountedUpstreams(gateway, {
		open: openAuthorized(process.env),
		viewerOf: lock.viewerOfPrincipal,
		...serving,
		...(keeping !== undefined && { keeping }),
	});
	const at = (path: string): HttpEndpoint | undefined => (path === MCP_PATH ? served : mounted.at(path));
	const guarded = [metricsRoute(gateway, () => endpoint.sessions + mounted.sessions), lock.forOwner(api)];
	const site = await openSite(
		{
			rules: lock.rules,
			...tls,
			host,
			port,
			log,
			open: [createConsoleRoute()],
			guarded,
			ownPagesOnly: isApiPath,
			refuse: refuseInEnvelope(() => (lock.ownerless ? NO_OWNER : undefined)),
			underWay: () => (indexJob.state?.state === "running" ? ["indexing"] : []),
			failed: () => (indexJob.state?.state === "failed" ? ["indexing"] : []),
		},
		at,
		() => [served, ...mounted.all()],
	);
	fleet?.serve(at, () => endpoint.sessions + mounted.sessions);
	closing.add(() => site.close());
	// The site waits for its requests, so these end before it.
	closing.add(() => indexJob.stop());
	closing.add(() => streams.abort());
	closing.add(tellClients(server, endpoint));
	gateway.start();
	if (config.file !== undefined) {
		const door = await openLocalDoor(gateway, config.file).catch((failure: unknown) => {
			log(`commands on this machine cannot reach this gateway: ${failureText(failure)}`);
			return undefined;
		});
		closing.add(() => door?.close());
	}
	const stopFollowing = followConfig(config, {
		load: () => {
			const changed = configure();
			checkProduct(changed, options.token);
			return changed;
		},
		apply: (changed) => {
			auth = changed.sections.auth;
			const applied = gateway.apply(changed);
			recorder.emit("servers");
			return applied;
		},
		refused: (why) => {
			gateway.refuseConfig(why);
			recorder.emit("servers");
		},
		log,
	});
	closing.add(stopFollowing);
	return {
		gateway,
		recorder,
		indexJob,
		address: site.listener.address,
		get locked() {
			return lock.locked;
		},
		get ownerless() {
			return lock.ownerless;
		},
		configFile: config.file,
		close: () => closing.run(),
	};
}

/** `undefined` unless OpenTelemetry's variables name a collector. */
async function openExporter(log: (line: string) => void): Promise<OtlpExporter | undefined> {
	const settings = readOtlpSettings();
	if (settings === undefined) return undefined;
	const { OtlpExporter } = await import("../telemetry/otlpExporter.ts");
	return new OtlpExporter(settings, { log });
}

/** Steps that close what was opened. They run once, newest first, and all of them even if some fail. */
export class ClosingSteps {
	readonly #steps: (() => void | Promise<void>)[] = [];
	#ended: Promise<void> | undefined;

	add(step: () => void | Promise<void>): void {
		this.#steps.push(step);
	}

	/** Rejects with what failed, after every step has run. */
	run(): Promise<void> {
		this.#ended ??= this.#runAll();
		return this.#ended;
	}

	async #runAll(): Promise<void> {
		const failures: unknown[] = [];
		for (const step of this.#steps.toReversed()) {
			try {
				await step();
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length === 1) throw failures[0];
		if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join("; "));
	}
}
