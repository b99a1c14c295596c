import { McpEndpoint } from "libmcp/http";
import {
	type Config,
	createGateway,
	followConfig,
	type Gateway,
	gatewayServer,
	MountedUpstreams,
	metricsRoute,
	openAuthorized,
	openSite,
	tlsOf,
} from "metatools";
import { apiRoute } from "../api/apiRoute.ts";
import { IndexJob } from "../api/indexJob.ts";
import { consoleRoute } from "../console/consoleRoute.ts";
import { HostWitness } from "../record/hostWitness.ts";
import { Recorder } from "../record/recorder.ts";
import { ServerLogs } from "../record/serverLogs.ts";
import { watchedBy } from "../record/watchedBy.ts";
import type { OtlpExporter } from "../telemetry/otlpExporter.ts";
import { otlpSettings } from "../telemetry/otlpSettings.ts";
import { checkProduct } from "./checkProduct.ts";
import { createLock } from "./lock.ts";
import { version } from "./version.ts";

export type ProductOptions = {
	/** Reads the configuration; called again when one of its files has changed. */
	readonly configure: () => Config;
	/** Its holder is the owner; without it and without `auth` in the configuration, everyone on this machine is. */
	readonly token?: string;
	/** Where each server's telemetry is written; nowhere without it. */
	readonly telemetryFolder?: string | undefined;
	readonly log: (line: string) => void;
};

/** The running product: one address with the gateway and all that is mounted behind it. */
export type Product = {
	readonly gateway: Gateway;
	readonly recorder: Recorder;
	/** `http://host:port`; MCP is at `/mcp` and each server alone at `/mcp/<namespace>`, the API under `/api`, the console at `/`. */
	readonly address: string;
	/** Whether callers are asked for a token or a key. */
	readonly locked: boolean;
	/** Lets calls in flight finish, then ends every server and its processes. */
	close(): Promise<void>;
};

const MCP_PATH = "/mcp";

export async function startProduct(options: ProductOptions): Promise<Product> {
	const { configure, log } = options;
	const config = configure();
	const { host, port, sessionTimeout } = config.settings;
	let { auth } = config.sections;
	const lock = createLock(() => auth, options.token);
	const tls = tlsOf(config.settings);
	const recorder = new Recorder();
	const exporter = await openExporter(log);
	const logs = options.telemetryFolder === undefined ? undefined : new ServerLogs(options.telemetryFolder, log);
	const watch = watchedBy(recorder, new HostWitness(recorder, exporter), logs);
	const gateway = createGateway(config, { log, command: "holdfast", aroundRuns: recorder.aroundRuns, watch });
	recorder.attach(gateway);
	const indexJob = new IndexJob(gateway);
	const closing = new AbortController();
	const api = apiRoute({ gateway, recorder, indexJob, version: version(), closing: closing.signal, log });
	const server = gatewayServer(gateway);
	const endpoint = new McpEndpoint({
		dispatcher: server.dispatcher(lock.viewerOf),
		description: server.description,
		sessionIdleMs: sessionTimeout,
	});
	const stopListening = server.onListChanged(() => endpoint.notify("notifications/tools/list_changed"));
	const mounted = new MountedUpstreams(gateway, {
		open: openAuthorized(process.env),
		viewerOf: lock.viewerOfPrincipal,
		sessionIdleMs: sessionTimeout,
	});
	const guarded = [metricsRoute(gateway), lock.forOwner(api)];
	const site = await openSite(
		{ rules: lock.rules, ...tls, host, port, log, open: [consoleRoute()], guarded },
		(path) => (path === MCP_PATH ? endpoint : mounted.at(path)),
		() => [endpoint, ...mounted.all()],
	);
	gateway.start();
	const stopFollowing = followConfig(config, {
		load: () => {
			const changed = configure();
			checkProduct(changed, options.token);
			return changed;
		},
		apply: (changed) => {
			auth = changed.sections.auth;
			return gateway.apply(changed);
		},
		log,
	});
	return {
		gateway,
		recorder,
		address: site.listener.address,
		get locked() {
			return lock.locked;
		},
		close: async () => {
			stopListening();
			stopFollowing();
			closing.abort();
			indexJob.stop();
			await site.close();
			await gateway.stop();
			await exporter?.close();
		},
	};
}

/** Only where OpenTelemetry's variables name a collector. */
async function openExporter(log: (line: string) => void): Promise<OtlpExporter | undefined> {
	const settings = otlpSettings();
	if (settings === undefined) return undefined;
	const { OtlpExporter } = await import("../telemetry/otlpExporter.ts");
	return new OtlpExporter(settings, { log });
}
