import { isDeepStrictEqual } from "node:util";
import { HealthBoard, prometheusText, TelemetryLedger } from "libmcp";
import { Catalog } from "../catalog/catalog.ts";
import { Cursors } from "../catalog/cursor.ts";
import { createTypedCommand, type TypedCommand } from "../catalog/text.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { type Config, findDefaultFile, loadDefaultConfig } from "../config/load.ts";
import { SEARCH_SETTINGS } from "../config/searchSettings.ts";
import type { Settings } from "../config/settings.ts";
import type { JsonObject } from "../contract/json.ts";
import { ResourceWatch } from "../offers/resourceWatch.ts";
import type { Quarantine } from "../quarantine/quarantine.ts";
import { WaitingTools } from "../quarantine/waitingTools.ts";
import { checkAll, type Gate, type Verdict, type Viewer } from "../run/access.ts";
import { type BackendRunner, createLocalBackend, PING } from "../run/backend.ts";
import { ResultStore } from "../run/resultStore.ts";
import { createRunner, type RunnerOptions, type ToolRunner } from "../run/runner.ts";
import { CatalogSearch } from "../search/catalogSearch.ts";
import type { Skill, SkillSurroundings } from "../toolsets/skill.ts";
import { createToolsetGate, type Toolset } from "../toolsets/toolset.ts";
import type { UpstreamSpec } from "../upstream/spec.ts";
import type { UpstreamState } from "../upstream/state.ts";
import { openTransport } from "../upstream/transport.ts";
import { Upstreams } from "../upstream/upstreams.ts";
import { ClientNews, type NewsListener } from "./clientNews.ts";
import type { GatewayOptions, GatewayParts } from "./gatewayParts.ts";
import { findUnknownCallers, findUnknownServers, findUnknownTools, IdleRuleLog } from "./idleRules.ts";
import type { Metatool } from "./metatool.ts";
import { createMetatools } from "./metatools/allMetatools.ts";
import { createLinkingRunner } from "./metatools/resourceLinks.ts";
import { findTool, listStatuses, type NamespaceStatus } from "./namespaces.ts";
import { createOperationalTools, reportUpstreams } from "./operationalTools.ts";
import { chooseStrategy } from "./strategyFor.ts";

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
	/** Who watches which resources of the servers. */
	readonly resourceWatch: ResourceWatch;
	readonly #news: ClientNews;
	readonly #idleRules: IdleRuleLog;
	readonly #startedCompact: boolean;
	#config: Config;
	#configProblem: string | undefined;

	constructor(options: GatewayOptions = {}) {
		this.#options = options;
		this.#config = options.config ?? loadDefaultConfig();
		this.#startedCompact = this.settings.surface === "compact";
		this.log = options.log ?? (() => {});
		this.command = this.#nameCommand();
		this.cursors = new Cursors(options.cursorKey);
		this.search = new CatalogSearch(this.catalog, options.search ?? chooseStrategy(this.settings));
		this.quarantine = options.quarantine;
		this.waiting = new WaitingTools(this.catalog, options.quarantine, this.command);
		this.waiting.keepChanged();
		this.gates = this.#collectGates();
		this.#news = new ClientNews(this.settings.notifyDebounceMs, () => this.settings.notifyListChanged);
		this.upstreams = this.#createUpstreams();
		this.upstreams.expect(this.#config.servers);
		this.resourceWatch = this.#createResourceWatch();
		const backends = { local: this.#createLocalTools(), mcp: this.upstreams, ...options.backends };
		const runner = options.runner ?? this.#createRunner(backends);
		this.runner = options.aroundRuns?.(runner) ?? runner;
		this.modelRunner = createLinkingRunner(this);
		this.metatools = createMetatools(this, options.codeEngine);
		this.#idleRules = new IdleRuleLog(this.log);
		this.#followChanges();
	}

	/** A command that people type names the configuration only if it is not the one in its usual place. */
	#nameCommand(): TypedCommand {
		const { file } = this.#config;
		return createTypedCommand(this.#options.command, file === findDefaultFile(process.env) ? undefined : file);
	}

	#collectGates(): readonly Gate[] {
		const { quarantine, gates = [] } = this.#options;
		return [createToolsetGate(() => this.toolsets), ...(quarantine === undefined ? [] : [quarantine]), ...gates];
	}

	#createUpstreams(): Upstreams {
		const { storedLogin, watch } = this.#options;
		return new Upstreams({
			catalog: this.catalog,
			open: this.#options.openTransport ?? openTransport,
			connectTimeoutMs: this.settings.connectTimeout,
			log: this.log,
			command: this.command,
			...(storedLogin !== undefined && { storedLogin }),
			...(watch !== undefined && { watch }),
			onNews: (upstream, news) => {
				if (news.kind === "updated") this.resourceWatch.announce(upstream, news.uri);
				else this.#news.announceList(news.kind);
			},
		});
	}

	#createResourceWatch(): ResourceWatch {
		return new ResourceWatch({
			upstreams: () => this.upstreams,
			seesAll: (namespace, viewer) => this.seesAll(namespace, viewer),
			onUpdated: (params) => this.#news.tell("notifications/resources/updated", params),
		});
	}

	/** Lists the gateway's own tools too. */
	#createLocalTools(): BackendRunner {
		const { localTools = [] } = this.#options;
		return createLocalBackend(this.catalog, [PING, ...createOperationalTools(this), ...localTools]);
	}

	#createRunner(backends: RunnerOptions["backends"]): ToolRunner {
		return createRunner({
			catalog: this.catalog,
			backends,
			gates: this.gates,
			timeoutMs: (namespace) => this.timeoutOf(namespace),
			totalTimeoutMs: (namespace) => this.#specOf(namespace)?.executionTotalTimeoutMs ?? this.settings.totalTimeout,
			find: (id, viewer, signal) => this.findTool(id, viewer, signal),
		});
	}

	/** The metatools stay the same when the catalogue changes, but clients that cache search results must be told. */
	#followChanges(): void {
		this.catalog.onChange(() => {
			this.#news.announceList("tools");
			this.#tellIdleRules();
		});
		this.waiting.onApproved(() => this.#news.announceAccess());
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
		if (config.settings.surface !== before.settings.surface) this.#news.announceList("tools");
		if (!isDeepStrictEqual(accessOf(config), accessOf(before))) this.#news.announceAccess();
		this.#tellIdleRules();
		// A new strategy has no index yet, and with an embedder that is dear.
		const isSearchChanged = !isDeepStrictEqual(searchOf(config), searchOf(before));
		if (this.#options.search === undefined && isSearchChanged) this.search.use(chooseStrategy(config.settings));
		await this.upstreams.apply(config.servers);
	}

	/** Rules, toolsets and skills that name a server which is not configured; `others` are servers from elsewhere. */
	unknownServers(others: readonly string[] = []): readonly string[] {
		return findUnknownServers(this.#config, [...this.catalog.namespaces, ...others]);
	}

	/** Rules, toolsets and skills that name a tool which this server, whose tools are known, does not have. */
	unknownTools(namespace: string): readonly string[] {
		return findUnknownTools(this.#config, namespace, this.catalog);
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
		return this.#news.onList(listener);
	}

	/** Called with what clients are to be told of the prompts and resources of servers. Returns how to stop listening. */
	onNews(listener: NewsListener): () => void {
		return this.#news.onNews(listener);
	}

	/** Called when rules or approvals have changed which tools a client may see, unless configuration says not to notify. */
	onAccessChanged(listener: () => void): () => void {
		return this.#news.onAccess(listener);
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

	/** Whether nothing of a server is hidden from a caller: its prompts and resources may hold what a hidden tool would show. */
	seesAll(namespace: string, viewer: Viewer): boolean {
		const tools = this.catalog.toolsOf(namespace);
		// A toolset may turn out to hold nothing of this server, and its resources are not looked at one by one.
		if (tools.length === 0) return viewer.toolset === undefined && this.covers(namespace, viewer);
		return tools.every((tool) => this.verdict(tool, viewer).kind !== "hide");
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
		return listStatuses(this, viewer);
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
			upstreams: reportUpstreams(this, (upstream) => upstream.health(), viewer),
		};
	}

	telemetry(viewer?: Viewer): JsonObject {
		return {
			...this.ledger.snapshot(),
			upstreams: reportUpstreams(this, (upstream) => upstream.telemetry(), viewer),
		};
	}

	/** The gateway's own figures in the Prometheus text format. */
	metrics(): string {
		return prometheusText("metatools", this.#health.snapshot(), this.ledger.snapshot());
	}

	async stop(): Promise<void> {
		this.#health.stopping();
		this.#news.stop();
		this.waiting.end();
		this.quarantine?.save();
		await Promise.all([this.upstreams.stop(), this.#options.codeEngine?.close?.()]);
	}

	#tellIdleRules(): void {
		this.#idleRules.tell([
			...this.unknownServers(),
			...findUnknownCallers(this.#config),
			...this.catalog.namespaces.flatMap((namespace) => this.unknownTools(namespace)),
		]);
	}
}

/** What decides which tools a client may see, besides the servers. */
function accessOf({ toolsets, settings: { toolset }, sections: { auth, policy } }: Config): object {
	return { toolsets, toolset, auth, policy };
}

function searchOf({ settings }: Config): object {
	return Object.entries(settings).filter(([name]) => name in SEARCH_SETTINGS);
}
