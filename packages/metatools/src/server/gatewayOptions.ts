import type { CatalogTool } from "../catalog/tool.ts";
import type { Config } from "../config/load.ts";
import type { CodeEngine } from "../contract/codeEngine.ts";
import type { BackendKind } from "../contract/errors.ts";
import type { Quarantine } from "../quarantine/quarantine.ts";
import type { Gate } from "../run/access.ts";
import type { BackendRunner, LocalTool } from "../run/backend.ts";
import type { ToolRunner } from "../run/runner.ts";
import type { SearchStrategy } from "../search/strategy.ts";
import type { StoredLogin } from "../upstream/login/storedLogin.ts";
import type { OpenTransport } from "../upstream/transport.ts";
import type { UpstreamWatch } from "../upstream/upstream.ts";

/** Everything that can be replaced; each has a working default. */
export type GatewayOptions = {
	readonly config?: Config;
	readonly search?: SearchStrategy;
	/** Replaces the whole way a tool is run. */
	readonly runner?: ToolRunner;
	/** Adds or replaces the runner of one kind of backend. */
	readonly backends?: Partial<Record<BackendKind, BackendRunner>>;
	/** Who may find and run what, besides toolsets. */
	readonly gates?: readonly Gate[];
	/** The gate whose tools people can approve one by one. */
	readonly quarantine?: Quarantine;
	/** Wraps the runner of every run, for recording or limiting. */
	readonly aroundRuns?: (runner: ToolRunner) => ToolRunner;
	/** The program with which people approve tools and log in to servers; `metatools` unless given. */
	readonly command?: string;
	/** Observes the servers' state. */
	readonly watch?: UpstreamWatch;
	readonly localTools?: readonly LocalTool[];
	/** Without one there is no execute_code. */
	readonly codeEngine?: CodeEngine;
	/** Types for code that calls a tool, shown by describe_tool. */
	readonly declare?: (tool: CatalogTool) => string;
	readonly openTransport?: OpenTransport;
	/** What a login has stored for a server, if its transport uses that. */
	readonly storedLogin?: StoredLogin;
	readonly log?: (line: string) => void;
	/** Signs cursors; share it between instances that answer for one another. */
	readonly cursorKey?: Buffer;
};
