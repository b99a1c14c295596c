import { isDeepStrictEqual } from "node:util";
import { HealthBoard, prometheusText, TelemetryLedger } from "libmcp";
import { Catalog } from "../catalog/catalog.ts";
import { Cursors } from "../catalog/cursor.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { defaultFile } from "../config/defaultFile.ts";
import { defaultConfig } from "../config/defaults.ts";
import type { Config } from "../config/load.ts";
import { SEARCH_SETTINGS } from "../config/searchSettings.ts";
import type { Settings } from "../config/settings.ts";
import type { JsonObject } from "../contract/json.ts";
import { type TypedCommand, typedCommand } from "../contract/typedCommand.ts";
import type { Quarantine } from "../quarantine/quarantine.ts";
import { WaitingTools } from "../quarantine/waitingTools.ts";
import { checkAll, type Gate, type Verdict, type Viewer } from "../run/access.ts";
import { localBackend, PING } from "../run/localTools.ts";
import { ResultStore } from "../run/resultStore.ts";
import { createRunner, type ToolRunner } from "../run/runner.ts";
import { CatalogSearch } from "../search/catalogSearch.ts";
import type { Skill, SkillSurroundings } from "../toolsets/skill.ts";
import { type Toolset, toolsetGate } from "../toolsets/toolset.ts";
import type { UpstreamSpec } from "../upstream/spec.ts";
import type { UpstreamState } from "../upstream/state.ts";
import { openTransport } from "../upstream/transport.ts";
import { Upstreams } from "../upstream/upstreams.ts";
import { metatoolsOf } from "./allMetatools.ts";
import { findTool } from "./findTool.ts";
import type { GatewayOptions } from "./gatewayOptions.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import { IdleRuleLog } from "./idleRuleLog.ts";
import { unknownCallers, unknownServers, unknownTools } from "./idleRules.ts";
import { ListNews } from "./listNews.ts";
import type { Metatool } from "./metatool.ts";
import { type NamespaceStatus, namespaceStatuses } from "./namespaces.ts";
import { operationalTools } from "./operationalTools.ts";
import { withReadableLinks } from "./resourceLinks.ts";
import { strategyFor } from "./strategyFor.ts";
import { upstreamReports } from "./upstreamReports.ts";

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
	readonly #listNews: ListNews;
	readonly #accessListeners = new Set<() => void>();
	readonly #idleRules: IdleRuleLog;
	readonly #startedCompact: boolean;
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
				totalTimeoutMs: (namespace) => this.#specOf(namespace)?.executionTotalTimeoutMs ?? this.settings.totalTimeout,
				find: (id, viewer, signal) => this.findTool(id, viewer, signal),
			});
		this.runner = options.aroundRuns?.(runner) ?? runner;
		this.modelRunner = withReadableLinks(this);
		this.metatools = metatoolsOf(this, options.codeEngine);
		this.#listNews = new ListNews(this.settings.notifyDebounceMs);
		this.#idleRules = new IdleRuleLog(this.log);
		this.catalog.onChange(() => {
			this.#announceList();
			this.#tellIdleRules();
		});
		this.waiting.onApproved(() => this.#announceAccess());
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
		return this.#specOf(namespace)?.executionTimeoutMs ?? this.settings.timeout;
	}

	#specOf(namespace: string | undefined): UpstreamSpec | undefined {
		return this.#config.servers.find((spec) => spec.namespace === namespace);
	}

	/** Starts connecting to every server, or to the wanted ones; requests are answered in the meantime. */
	start(isWanted: (spec: UpstreamSpec) => boolean = () => true): void {
		this.#health.starting(1);
		this.#tellIdleRules();
		void this.upstreams.apply(this.#config.servers.filter(isWanted));
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
		// A new strategy has no index yet, and with an embedder that is dear.
		const isSearchChanged = !isDeepStrictEqual(searchOf(config), searchOf(before));
		if (this.#options.search === undefined && isSearchChanged) this.search.use(strategyFor(config.settings));
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
		return this.#listNews.listen(listener);
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

	findTool(id: string, viewer: Viewer, signal: AbortSignal): Promise<CatalogTool> {
		return findTool(this, id, viewer, signal);
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
		return this.#unlisted(viewer, ["connecting"]);
	}

	missing(viewer: Viewer): readonly string[] {
		return this.#unlisted(viewer, ["failed", "needs_auth"]);
	}

	#unlisted(viewer: Viewer, kinds: readonly UpstreamState["kind"][]): readonly string[] {
		const known = new Set(this.catalog.namespaces);
		return this.upstreams.all
			.filter(({ spec, state }) => kinds.includes(state.kind) && !known.has(spec.namespace))
			.map(({ spec }) => spec.namespace)
			.filter((namespace) => this.admits(namespace, viewer));
	}

	surroundings(viewer: Viewer): SkillSurroundings {
		return { findTool: (...sought) => this.findTool(...sought), toolsets: this.toolsets, viewer };
	}

	declare(tool: CatalogTool): string | undefined {
		return this.#options.declare?.(tool);
	}

	/** With a viewer, only of the servers that it may see. */
	health(viewer?: Viewer): JsonObject {
		return {
			...this.#health.snapshot(),
			...(this.#configProblem !== undefined && { notes: [this.#configProblem] }),
			upstreams: upstreamReports(this, (upstream) => upstream.health(), viewer),
		};
	}

	telemetry(viewer?: Viewer): JsonObject {
		return {
			...this.ledger.snapshot(),
			upstreams: upstreamReports(this, (upstream) => upstream.telemetry(), viewer),
		};
	}

	/** The gateway's own figures in the Prometheus text format. */
	metrics(): string {
		return prometheusText("metatools", this.#health.snapshot(), this.ledger.snapshot());
	}

	async stop(): Promise<void> {
		this.#health.stopping();
		this.#listNews.stop();
		this.#accessListeners.clear();
		this.waiting.end();
		this.quarantine?.save();
		await Promise.all([this.upstreams.stop(), this.#options.codeEngine?.close?.()]);
	}

	#tellIdleRules(): void {
		this.#idleRules.tell([
			...this.unknownServers(),
			...unknownCallers(this.#config),
			...this.catalog.namespaces.flatMap((namespace) => this.unknownTools(namespace)),
		]);
	}

	// The metatools stay the same when the catalogue changes, but clients that cache search results must be told.
	#announceList(): void {
		if (this.settings.notifyListChanged) this.#listNews.announce();
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

function searchOf({ settings }: Config): object {
	return Object.entries(settings).filter(([name]) => name in SEARCH_SETTINGS);
}
