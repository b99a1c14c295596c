import { isDeepStrictEqual } from "node:util";
import { HealthBoard, prometheusText, TelemetryLedger } from "libmcp";
import { Catalog } from "../catalog/catalog.ts";
import { Cursors } from "../catalog/cursor.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { parseToolId } from "../catalog/toolId.ts";
import { defaultFile } from "../config/defaultFile.ts";
import { defaultConfig } from "../config/defaults.ts";
import type { Config } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import type { CodeEngine } from "../contract/codeEngine.ts";
import { type BackendKind, ToolError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { type TypedCommand, typedCommand } from "../contract/typedCommand.ts";
import type { Quarantine } from "../quarantine/quarantine.ts";
import { WaitingTools } from "../quarantine/waitingTools.ts";
import { checkAll, type Gate, type Verdict, type Viewer } from "../run/access.ts";
import type { BackendRunner } from "../run/backend.ts";
import { type LocalTool, localBackend, PING } from "../run/localTools.ts";
import { resolveTool } from "../run/resolveTool.ts";
import { ResultStore } from "../run/resultStore.ts";
import { createRunner, type ToolRunner } from "../run/runner.ts";
import { CatalogSearch } from "../search/catalogSearch.ts";
import type { SearchStrategy } from "../search/strategy.ts";
import type { Skill, SkillSurroundings } from "../toolsets/skill.ts";
import { type Toolset, toolsetGate } from "../toolsets/toolset.ts";
import type { StoredLogin } from "../upstream/keptConnection.ts";
import { type OpenTransport, openTransport } from "../upstream/transport.ts";
import type { UpstreamWatch } from "../upstream/upstream.ts";
import { Upstreams } from "../upstream/upstreams.ts";
import { describingMetatools } from "./describing.ts";
import { executeCodeMetatool } from "./executeCode.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import { unknownServers, unknownTools } from "./idleRules.ts";
import { listingMetatools } from "./listing.ts";
import type { Metatool } from "./metatool.ts";
import { type NamespaceStatus, namespaceStatuses } from "./namespaces.ts";
import { Debouncer } from "./notifier.ts";
import { operationalTools } from "./operationalTools.ts";
import { readResultMetatool } from "./readResult.ts";
import { withReadableLinks } from "./resourceLinks.ts";
import { runChainMetatool } from "./runChainTool.ts";
import { runToolMetatool } from "./runTool.ts";
import { skillMetatools } from "./skillTools.ts";
import { strategyFor } from "./strategyFor.ts";
import { toolsetMetatools } from "./toolsetTools.ts";

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

/** The gateway: catalogue, search, run and chain put together. A `Transport` is needed to serve it. */
export class Gateway implements GatewayParts {
	readonly catalog = new Catalog();
	readonly results = new ResultStore();
	readonly search: CatalogSearch;
	readonly cursors: Cursors;
	readonly upstreams: Upstreams;
	readonly gates: readonly Gate[];
	readonly quarantine: Quarantine | undefined;
	readonly waiting: WaitingTools;
	readonly runner: ToolRunner;
	readonly modelRunner: ToolRunner;
	readonly metatools: readonly Metatool[];
	readonly ledger = new TelemetryLedger();
	readonly #health = new HealthBoard();
	readonly log: (line: string) => void;
	/** Writes the command that a person types. */
	readonly command: TypedCommand;
	readonly #options: GatewayOptions;
	readonly #listeners = new Set<() => void>();
	readonly #accessListeners = new Set<() => void>();
	readonly #stopWaiting: () => void;
	readonly #debouncer: Debouncer;
	readonly #startedCompact: boolean;
	#toldIdle: ReadonlySet<string> = new Set();
	#config: Config;
	#configProblem: string | undefined;

	constructor(options: GatewayOptions = {}) {
		this.#options = options;
		this.#config = options.config ?? defaultConfig();
		this.#startedCompact = this.settings.surface === "compact";
		this.log = options.log ?? (() => {});
		const { file } = this.#config;
		this.command = typedCommand(options.command, file === defaultFile(process.env) ? undefined : file);
		this.cursors = new Cursors(options.cursorKey);
		this.search = new CatalogSearch(this.catalog, options.search ?? strategyFor(this.settings));
		this.quarantine = options.quarantine;
		this.waiting = new WaitingTools(this.catalog, options.quarantine, this.command);
		this.waiting.keepChanged();
		this.gates = [
			toolsetGate(() => this.toolsets),
			...(options.quarantine === undefined ? [] : [options.quarantine]),
			...(options.gates ?? []),
		];
		this.upstreams = new Upstreams({
			catalog: this.catalog,
			open: options.openTransport ?? openTransport,
			connectTimeoutMs: this.settings.connectTimeout,
			log: this.log,
			command: this.command,
			...(options.storedLogin !== undefined && { storedLogin: options.storedLogin }),
			...(options.watch !== undefined && { watch: options.watch }),
		});
		this.upstreams.expect(this.#config.servers);
		const local = localBackend(this.catalog, [PING, ...operationalTools(this), ...(options.localTools ?? [])]);
		const runner =
			options.runner ??
			createRunner({
				catalog: this.catalog,
				backends: { local, mcp: this.upstreams, ...options.backends },
				gates: this.gates,
				timeoutMs: (namespace) => this.timeoutOf(namespace),
				find: (id, viewer, signal) => this.findTool(id, viewer, signal),
			});
		this.runner = options.aroundRuns?.(runner) ?? runner;
		this.modelRunner = withReadableLinks(this);
		this.metatools = [
			...listingMetatools(this),
			...describingMetatools(this),
			...[runToolMetatool(this), runChainMetatool(this), readResultMetatool(this)],
			...toolsetMetatools(this),
			...skillMetatools(this),
			...(options.codeEngine !== undefined && this.settings.code
				? [executeCodeMetatool(this, options.codeEngine)]
				: []),
		];
		this.#debouncer = new Debouncer(this.settings.notifyDebounceMs, () => {
			for (const listener of this.#listeners) listener();
		});
		this.catalog.onChange(() => {
			this.#announceList();
			this.#tellIdleRules();
		});
		this.#stopWaiting = this.waiting.onApproved(() => this.#announceAccess());
	}

	get settings(): Settings {
		return this.#config.settings;
	}

	get isTextOnly(): boolean {
		return this.#startedCompact && this.settings.surface === "compact";
	}

	/** The current auth, policy and quarantine sections of the configuration. */
	get sections(): Config["sections"] {
		return this.#config.sections;
	}

	get toolsets(): readonly Toolset[] {
		return this.#config.toolsets;
	}

	get skills(): readonly Skill[] {
		return this.#config.skills;
	}

	timeoutOf(namespace: string | undefined): number {
		const server = this.#config.servers.find((spec) => spec.namespace === namespace);
		return server?.executionTimeoutMs ?? this.settings.timeout;
	}

	/** Starts connecting to every server; requests are answered in the meantime. */
	start(): void {
		this.#health.starting(1);
		this.#tellIdleRules();
		void this.upstreams.apply(this.#config.servers);
		this.#health.ready(1);
	}

	/** Applies a changed configuration: servers, toolsets, skills, search and limits change at once, transports do not. */
	async apply(config: Config): Promise<void> {
		const before = this.#config;
		this.#config = config;
		this.#configProblem = undefined;
		if (config.settings.surface !== before.settings.surface) this.#announceList();
		if (!isDeepStrictEqual(accessOf(config), accessOf(before))) this.#announceAccess();
		this.#tellIdleRules();
		if (this.#options.search === undefined) this.search.use(strategyFor(config.settings));
		await this.upstreams.apply(config.servers);
	}

	/** Rules, toolsets and skills that name a server which is not configured; `others` are servers from elsewhere. */
	unknownServers(others: readonly string[] = []): readonly string[] {
		return unknownServers(this.#config, [...this.catalog.namespaces, ...others]);
	}

	/** Rules, toolsets and skills that name a tool which this server, whose tools are known, does not have. */
	unknownTools(namespace: string): readonly string[] {
		return unknownTools(this.#config, namespace, this.catalog);
	}

	/** Why a changed configuration is not used, until one is applied. */
	get configProblem(): string | undefined {
		return this.#configProblem;
	}

	refuseConfig(why: string): void {
		this.#configProblem = why;
	}

	/** Called once per quiet window after the catalogue changed, unless configuration says not to notify. */
	onListChanged(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Called when rules or approvals have changed which tools a client may see, unless configuration says not to notify. */
	onAccessChanged(listener: () => void): () => void {
		this.#accessListeners.add(listener);
		return () => this.#accessListeners.delete(listener);
	}

	verdict(tool: CatalogTool, viewer: Viewer): Verdict {
		return checkAll(this.gates, tool, viewer);
	}

	admits(namespace: string, viewer: Viewer, id?: string): boolean {
		// Once a server's tools are known, they tell whether a rule allows any of them by its name.
		if (this.catalog.namespaces.includes(namespace)) return this.covers(namespace, viewer);
		return this.gates.every((gate) => gate.admits?.(namespace, viewer, id) ?? true);
	}

	covers(namespace: string, viewer: Viewer): boolean {
		// Likewise they tell whether a toolset holds any of them.
		if (viewer.toolset !== undefined && this.catalog.namespaces.includes(namespace)) return false;
		return this.gates.every((gate) => gate.covers?.(namespace, viewer) ?? gate.admits?.(namespace, viewer) ?? true);
	}

	async findTool(id: string, viewer: Viewer, signal: AbortSignal): Promise<CatalogTool> {
		const isUnknown = this.catalog.resolve(id).length === 0;
		if (isUnknown && this.metatools.some(({ name }) => name === id)) {
			const message = `${id} is no tool of a server; call it by itself.`;
			throw new ToolError("tool_not_found", message, { tool_id: id, op: "resolve" });
		}
		const { namespace = "", name = "" } = parseToolId(id) ?? {};
		if (isUnknown && this.admits(namespace, viewer, id)) {
			await this.upstreams.arrival(namespace, signal);
			const leftOut = this.upstreams.leftOut(namespace, name);
			if (leftOut !== undefined)
				throw new ToolError("tool_not_found", `${id} cannot be used: ${leftOut}`, { tool_id: id, op: "resolve" });
		}
		return resolveTool(this.catalog, this.gates, id, viewer);
	}

	/** Applies the configured toolset to callers without one of their own. */
	confine(viewer: Viewer): Viewer {
		const { toolset } = this.settings;
		return toolset === "" || viewer.toolset !== undefined ? viewer : { ...viewer, toolset };
	}

	namespaces(viewer: Viewer): readonly NamespaceStatus[] {
		return namespaceStatuses(this, viewer);
	}

	arriving(viewer: Viewer): readonly string[] {
		const known = new Set(this.catalog.namespaces);
		return this.upstreams.all
			.filter(({ spec, state }) => state.kind === "connecting" && !known.has(spec.namespace))
			.map(({ spec }) => spec.namespace)
			.filter((namespace) => this.admits(namespace, viewer));
	}

	surroundings(viewer: Viewer): SkillSurroundings {
		return { findTool: (...sought) => this.findTool(...sought), toolsets: this.toolsets, viewer };
	}

	declare(tool: CatalogTool): string | undefined {
		return this.#options.declare?.(tool);
	}

	health(): JsonObject {
		return {
			...this.#health.snapshot(),
			...(this.#configProblem !== undefined && { notes: [this.#configProblem] }),
			upstreams: Object.fromEntries(this.upstreams.all.map((upstream) => [upstream.spec.name, upstream.health()])),
		};
	}

	telemetry(): JsonObject {
		return {
			...this.ledger.snapshot(),
			upstreams: Object.fromEntries(this.upstreams.all.map((upstream) => [upstream.spec.name, upstream.telemetry()])),
		};
	}

	/** The gateway's own figures in the Prometheus text format. */
	metrics(): string {
		return prometheusText("metatools", this.#health.snapshot(), this.ledger.snapshot());
	}

	async stop(): Promise<void> {
		this.#health.stopping();
		this.#debouncer.stop();
		this.#stopWaiting();
		this.#listeners.clear();
		this.#accessListeners.clear();
		this.waiting.end();
		this.quarantine?.save();
		await Promise.all([this.upstreams.stop(), this.#options.codeEngine?.close?.()]);
	}

	/** Logs each once, until it is put right. */
	#tellIdleRules(): void {
		const idle = [
			...this.unknownServers(),
			...this.catalog.namespaces.flatMap((namespace) => this.unknownTools(namespace)),
		];
		for (const problem of idle) if (!this.#toldIdle.has(problem)) this.log(problem);
		this.#toldIdle = new Set(idle);
	}

	// The metatools stay the same when the catalogue changes, but clients that cache search results must be told.
	#announceList(): void {
		if (this.settings.notifyListChanged) this.#debouncer.trigger();
	}

	#announceAccess(): void {
		this.#announceList();
		if (this.settings.notifyListChanged) for (const listener of this.#accessListeners) listener();
	}
}

/** What decides which tools a client may see, besides the servers. */
function accessOf({ toolsets, settings: { toolset }, sections: { auth, policy } }: Config): object {
	return { toolsets, toolset, auth, policy };
}
