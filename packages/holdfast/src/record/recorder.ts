import { EventEmitter } from "node:events";
import { performance } from "node:perf_hooks";
import {
	type CatalogTool,
	type Gateway,
	type Quarantined,
	type RunRequest,
	type RunResult,
	ToolError,
	type ToolRunner,
	type UpstreamState,
} from "metatools";
import { type CallEnd, type CallEntry, Calls } from "./calls.ts";
import { Timeline, type TimelineEntry } from "./timeline.ts";
import { Traffic } from "./traffic.ts";

type RecorderEvents = {
	entry: [entry: TimelineEntry];
	call: [entry: CallEntry];
	servers: [];
	tools: [];
};

type Approval = Pick<Quarantined, "tool" | "changed">;

const LONGEST_ID = 64;
const UNKNOWN = "(unknown)";

/** Records calls, traffic and a timeline while the product runs, in memory only. */
export class Recorder extends EventEmitter<RecorderEvents> {
	readonly calls = new Calls();
	readonly traffic = new Traffic();
	readonly timeline = new Timeline();
	readonly #states = new Map<string, UpstreamState["kind"]>();
	readonly #failures = new Map<string, { readonly reason: string; readonly entry: number; readonly times: number }>();
	/** Tools approved at the console, until the gateway notices it too. */
	readonly #approvedHere = new WeakSet<CatalogTool>();
	readonly #unrecorded = new WeakSet<RunRequest>();
	#gateway: Gateway | undefined;

	constructor() {
		super();
		// Every open console page adds a listener.
		this.setMaxListeners(0);
	}

	/** Wraps a gateway's runner to record each call. */
	readonly aroundRuns = (runner: ToolRunner): ToolRunner => ({
		...runner,
		run: (request) => (this.#unrecorded.has(request) ? runner.run(request) : this.#run(runner, request)),
	});

	/** Lets a request of the console itself pass: nobody has called the tool, and looking must not change the figures. */
	unrecorded(request: RunRequest): RunRequest {
		this.#unrecorded.add(request);
		return request;
	}

	get gateway(): Gateway | undefined {
		return this.#gateway;
	}

	attach(gateway: Gateway): void {
		this.#gateway = gateway;
		gateway.catalog.onChange(() => this.emit("tools"));
		gateway.waiting.onNews((held) => {
			for (const { tool, changed } of held) {
				const unseen =
					gateway.waiting.unreadable === undefined
						? "was never approved"
						: "waits, because the approvals cannot be read";
				const why = changed.length === 0 ? unseen : `changed its ${changed.join(" and ")}`;
				this.tell({
					kind: "quarantine",
					server: nameServerOf(tool),
					level: "warn",
					summary: `${tool.id} ${why}`,
					record: { tool: tool.id, changed, outcome: "held until somebody approves it" },
				});
			}
		});
		gateway.waiting.onApproved((approved) => {
			for (const held of approved) if (!this.#approvedHere.delete(held.tool)) this.#tellApproved(held);
			this.emit("tools");
		});
	}

	/** Records that somebody approved a tool at the console. */
	approved(held: Approval, isStored: boolean): void {
		this.#approvedHere.add(held.tool);
		this.#tellApproved(held, isStored);
		this.emit("tools");
	}

	#tellApproved({ tool, changed }: Approval, isStored = true): void {
		this.tell({
			kind: "quarantine",
			server: nameServerOf(tool),
			level: isStored ? "good" : "warn",
			summary: `${tool.id} was approved${isStored ? "" : ", but this is not stored yet"}`,
			record: { tool: tool.id, changed, outcome: "approved" },
		});
	}

	tell(entry: Parameters<Timeline["add"]>[0]): TimelineEntry {
		const added = this.timeline.add(entry);
		this.emit("entry", added);
		return added;
	}

	/** Records a server's new connection state. */
	state(server: string, state: UpstreamState): void {
		// When an entry changes, its old connection ends while the new one serves on under the name.
		if (state.kind === "stopped" && this.#isServed(server)) return;
		const before = this.#states.get(server);
		this.#states.set(server, state.kind);
		this.emit("servers");
		if (state.kind === before || state.kind === "connecting") return;
		const reason = "reason" in state ? state.reason : undefined;
		const known = this.#failures.get(server);
		this.#failures.delete(server);
		// Repeated identical failures become one entry with a count.
		if (known !== undefined && known.reason === reason) {
			const times = known.times + 1;
			this.#failures.set(server, { ...known, times });
			const extended = this.timeline.extend(known.entry, { ...state, times, lastAt: Date.now() });
			if (extended !== undefined) this.emit("entry", extended);
			return;
		}
		const { id: entry } = this.tell({
			kind: "connection",
			server,
			level: state.kind === "ready" ? "good" : state.kind === "stopped" ? "info" : "bad",
			summary: `${LABEL[state.kind]}${reason === undefined ? "" : `: ${reason}`}`,
			record: { ...state, before },
		});
		if (reason !== undefined) this.#failures.set(server, { reason, entry, times: 1 });
	}

	#isServed(server: string): boolean {
		const found = this.#gateway?.upstreams.all.find(({ spec }) => spec.name === server);
		return found !== undefined && found.state.kind !== "stopped";
	}

	async #run(runner: ToolRunner, request: RunRequest): Promise<RunResult> {
		const before = this.#toolOf(request);
		const began = this.calls.began(
			before?.id ?? shortened(request.toolId),
			this.#placeOf(request, before).server,
			request.args,
		);
		this.emit("call", began);
		const started = performance.now();
		const end = (how: CallEnd, ran?: CatalogTool): void => {
			// A server that was still connecting brought the tool only during the call.
			const tool = ran ?? before ?? this.#toolOf(request);
			const durationMs = Math.round((performance.now() - started) * 10) / 10;
			const { server, namespace } = this.#placeOf(request, tool);
			// Traffic tells servers from tools by the colon, which a namespace never has.
			this.traffic.ended(namespace, tool?.id ?? UNKNOWN, durationMs, how.outcome === "error");
			const named = { ...began, toolId: tool?.id ?? began.toolId, server };
			this.emit("call", this.calls.ended(named, durationMs, how));
		};
		try {
			const result = await runner.run(request);
			end({ outcome: "ok", result: result.structured }, result.tool);
			return result;
		} catch (thrown) {
			const error = thrown instanceof ToolError ? thrown.object : { code: "internal", message: String(thrown) };
			end({ outcome: error.code === "cancelled" ? "cancelled" : "error", error });
			throw thrown;
		}
	}

	/** Also of a tool that nobody has listed, as those of a server that was never reached. */
	#placeOf({ toolId }: RunRequest, tool: CatalogTool | undefined): { server: string; namespace: string } {
		if (tool !== undefined) return { server: nameServerOf(tool), namespace: tool.namespace };
		const named = this.#gateway?.upstreams.all.find(({ spec }) => toolId.startsWith(`${spec.namespace}:`))?.spec;
		return { server: named?.name ?? UNKNOWN, namespace: named?.namespace ?? UNKNOWN };
	}

	#toolOf({ toolId }: RunRequest): CatalogTool | undefined {
		return this.#gateway?.catalog.resolve(toolId)[0];
	}
}

/** The id of an unknown tool can be any text that a caller sends. */
function shortened(toolId: string): string {
	return toolId.length <= LONGEST_ID ? toolId : `${toolId.slice(0, LONGEST_ID).toWellFormed()}…`;
}

const LABEL = {
	ready: "connected",
	failed: "not connected",
	needs_auth: "asks for a login",
	stopped: "stopped",
} as const satisfies Record<Exclude<UpstreamState["kind"], "connecting">, string>;

/** The configured name of a tool's server, which the timeline and the server list use; the namespace may differ. */
export function nameServerOf({ backend, namespace }: Pick<CatalogTool, "backend" | "namespace">): string {
	return backend.kind === "mcp" ? backend.mcp.serverName : namespace;
}
