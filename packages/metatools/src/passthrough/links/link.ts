import type { Transport } from "@modelcontextprotocol/client";
import {
	type ClientDescription,
	type Era,
	hasFeature,
	LEGACY_REVISION,
	META,
	MODERN_REVISION,
	RPC_CODES,
	type RpcContext,
	RpcError,
	type ServerDescription,
} from "libmcp";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { createPatientSignal } from "../../run/patience.ts";
import type { Masker } from "../../upstream/secrets/maskSecrets.ts";
import { waitUnlessAborted } from "../../upstream/waiting.ts";
import { Channel } from "./channel.ts";
import { createClaim } from "./claim.ts";
import type { FailingServer } from "./connectionFailure.ts";

/** Limit for the handshake, so that a silent server does not block a slot forever. */
const GREETING_MS = 30_000;
/** Limit for agreeing on logs, for which the first call that wants them waits. */
const LOGGING_MS = 5_000;

/** Requests and notifications from the server. `about` is the call they belong to, if only one is possible. */
export type LinkEvents = {
	onRequest(method: string, params: JsonObject, signal: AbortSignal, about: RpcContext | undefined): Promise<unknown>;
	onNotification(method: string, params: JsonObject, about: RpcContext | undefined): void;
};

/** One connection to a server after its handshake, in the era the server speaks. */
export class Link {
	readonly era: Era;
	readonly description: ServerDescription;
	readonly #channel: Channel;
	readonly #calls: Set<RpcContext>;
	#logging: Promise<void> | undefined;
	#isAcknowledged: boolean = false;

	private constructor(era: Era, description: ServerDescription, channel: Channel, calls: Set<RpcContext>) {
		this.era = era;
		this.description = description;
		this.#channel = channel;
		this.#calls = calls;
	}

	/** Performs the handshake on behalf of the client, up to the acknowledgement. */
	static async legacy(
		transport: Transport,
		server: FailingServer,
		client: ClientDescription,
		events: LinkEvents,
		patienceMs: number = GREETING_MS,
	): Promise<Link> {
		return Link.#open(transport, server, events, async (channel) => {
			const { name = "metatools", version = "1.0.0", capabilities } = client;
			const greeting = { protocolVersion: LEGACY_REVISION, capabilities, clientInfo: { name, version } };
			const result = await channel.request("initialize", greeting, { signal: createPatientSignal(patienceMs) });
			const { protocolVersion, serverInfo, capabilities: offered, instructions } = isObject(result) ? result : {};
			const revision = typeof protocolVersion === "string" ? protocolVersion : LEGACY_REVISION;
			channel.useRevision(revision);
			return ["legacy", describe(serverInfo, withCompletions(offered, revision), instructions, server.masker)];
		});
	}

	/** Asks what the server offers; rejects when it does not speak this era. */
	static async modern(
		transport: Transport,
		server: FailingServer,
		client: ClientDescription,
		events: LinkEvents,
		patienceMs: number = GREETING_MS,
	): Promise<Link> {
		return Link.#open(transport, server, events, async (channel) => {
			channel.useRevision(MODERN_REVISION);
			const greeting = { _meta: createClaim(client) };
			const result = await channel.request("server/discover", greeting, { signal: createPatientSignal(patienceMs) });
			const { capabilities, instructions, _meta } = isObject(result) ? result : {};
			const info = isObject(_meta) ? _meta[META.serverInfo] : undefined;
			return ["modern", describe(info, capabilities, instructions, server.masker)];
		});
	}

	static async #open(
		transport: Transport,
		server: FailingServer,
		events: LinkEvents,
		greet: (channel: Channel) => Promise<readonly [Era, ServerDescription]>,
	): Promise<Link> {
		const calls = new Set<RpcContext>();
		// With one call in flight, the server's messages belong to it; with more, there is no way to tell.
		const about = (): RpcContext | undefined => (calls.size === 1 ? [...calls][0] : undefined);
		const channel = new Channel(transport, server, {
			onRequest: (method, params, signal) => events.onRequest(method, params, signal, about()),
			onNotification: (method, params) => events.onNotification(method, params, about()),
		});
		try {
			await channel.start();
			return new Link(...(await greet(channel)), channel, calls);
		} catch (thrown) {
			await channel.close();
			throw thrown;
		}
	}

	/** Resolves when the connection has ended, whoever ended it. */
	get closed(): Promise<void> {
		return this.#channel.closed;
	}

	get isClosed(): boolean {
		return this.#channel.isClosed;
	}

	/** Calls in flight here. */
	get busy(): number {
		return this.#calls.size;
	}

	/** Ends the handshake, after which the server may speak first. The first request does so too. */
	acknowledge(): void {
		if (this.#isAcknowledged || this.era === "modern") return;
		this.#isAcknowledged = true;
		this.#channel.notify("notifications/initialized", {});
	}

	/** Passes a request on for a client; its progress and its cancel go with it. */
	async call(
		method: string,
		params: JsonObject,
		context: RpcContext,
		headers?: Readonly<Record<string, string>>,
	): Promise<unknown> {
		this.acknowledge();
		this.#calls.add(context);
		try {
			return await this.#channel.request(method, params, {
				signal: context.signal,
				...(headers !== undefined && { headers }),
				...(context.wantsProgress && { onProgress: (update: JsonObject) => forwardProgress(context, params, update) }),
			});
		} finally {
			this.#calls.delete(context);
		}
	}

	/**
	 * A server with a handshake has one log level per connection, so it is asked for everything once any call wants logs.
	 * Each call then gets only the levels it asked for.
	 */
	async wantLogs(signal: AbortSignal): Promise<void> {
		if (this.era !== "legacy" || !("logging" in this.description.capabilities)) return;
		this.#logging ??= this.#agreeOnLogs();
		await waitUnlessAborted(this.#logging, signal, () => {});
	}

	/** Calls go on without logs if the server refuses, or does not answer. */
	async #agreeOnLogs(): Promise<void> {
		const agreed = this.request("logging/setLevel", { level: "debug" });
		await waitUnlessAborted(agreed, createPatientSignal(LOGGING_MS), () => {}).catch(() => {});
	}

	/** A request of our own. */
	request(method: string, params: JsonObject, signal?: AbortSignal): Promise<unknown> {
		this.acknowledge();
		return this.#channel.request(method, params, signal === undefined ? {} : { signal });
	}

	notify(method: string, params: JsonObject): void {
		this.acknowledge();
		this.#channel.notify(method, params);
	}

	close(): Promise<void> {
		return this.#channel.close();
	}
}

/** A server whose revision has no capability for completions may offer them; if not, it says so when asked. */
function withCompletions(offered: unknown, revision: string): unknown {
	if (hasFeature(revision, "completionsCapability") || !isObject(offered)) return offered;
	return "prompts" in offered || "resources" in offered ? { completions: {}, ...offered } : offered;
}

/** Forwards progress at the server's own pace, without coalescing. */
function forwardProgress(context: RpcContext, params: JsonObject, update: JsonObject): void {
	const token = isObject(params._meta) ? params._meta.progressToken : undefined;
	context.notify("notifications/progress", { ...update, progressToken: token });
}

function describe(info: unknown, capabilities: unknown, instructions: unknown, masker: Masker): ServerDescription {
	const { name, version, ...rest } = isObject(info) ? info : {};
	if (!isObject(capabilities))
		throw new RpcError(RPC_CODES.internalError, "The server's handshake names no capabilities.");
	return {
		info: {
			...rest,
			name: typeof name === "string" ? name : "server",
			version: typeof version === "string" ? version : "0",
		},
		capabilities,
		...(typeof instructions === "string" && { instructions: masker.text(instructions) }),
	};
}
