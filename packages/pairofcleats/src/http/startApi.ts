import { bearerTokens, type HttpListener, LOOPBACK_NAMES, listen, type RateLimits } from "libmcp/http";
import { CleatsError } from "../contract/errors.ts";
import { type RunnerOptions, ToolRunner } from "../tools/toolRunner.ts";
import { Workspace, type WorkspaceOptions } from "../workspace/workspace.ts";
import { makeApiFront } from "./apiFront.ts";
import { ApiMetrics } from "./metrics.ts";
import { makeRoutes, type RouteOptions } from "./routes.ts";

export const DEFAULT_PORT = 7345;
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);
const RATE: RateLimits = { perSecond: 20_000, burst: 40_000 };

export type ApiOptions = WorkspaceOptions &
	RunnerOptions &
	RouteOptions & {
		readonly host?: string;
		readonly port?: number;
		/** Required for every path except /health; without a token, the API can listen only on loopback. */
		readonly token?: string;
		/** Browser origins that may call the API, as `scheme://host[:port]`. */
		readonly origins?: readonly string[];
		readonly rateLimits?: RateLimits;
	};

export type Api = { readonly address: string; readonly port: number; close(): Promise<void> };

/** Serves the HTTP API until it is closed. */
export async function startApi(options: ApiOptions): Promise<Api> {
	const { host = "127.0.0.1", port = DEFAULT_PORT, token, origins = [], rateLimits = RATE } = options;
	if (!LOOPBACK.has(host) && token === undefined) {
		throw new CleatsError("INVALID_REQUEST", `host: ${host} is reachable from other machines, so a token is needed`, {
			field: "host",
		});
	}
	const workspace = new Workspace(options);
	const runner = new ToolRunner(workspace, options);
	const metrics = new ApiMetrics();
	const front = makeApiFront({
		routes: makeRoutes(runner, metrics, options),
		// With a token, DNS rebinding gains nothing; without one, only loopback host names are accepted.
		origins: { hosts: LOOPBACK.has(host) ? LOOPBACK_NAMES : undefined, origins, localPages: false },
		...(token !== undefined && { authenticate: bearerTokens({ [token]: { id: "token", scopes: [] } }) }),
		rateLimits,
		metrics,
		log: options.log ?? (() => {}),
	});
	const listener: HttpListener = await listen(front, { host, port });
	return {
		address: listener.address,
		port: listener.port,
		close: async () => {
			await listener.close([]);
			await workspace.close();
		},
	};
}
