import { RPC_CODES } from "../fault/rpcError.ts";
import { FIXTURE_TOOLS, type FixtureConfig, type FixtureTool, tool } from "./fixtureConfig.ts";

type Send = (message: Record<string, unknown>) => void;
type Id = string | number;

/** Everything but tool calls: the handshakes of both eras, lists, and the state a session builds up. */
export class FixtureSession {
	readonly #config: FixtureConfig;
	readonly #release: string;
	readonly #send: Send;
	readonly bindings: Map<string, unknown> = new Map();
	readonly subscriptions: Set<string> = new Set();
	readonly cancelled: Set<unknown> = new Set();
	logLevel = "none";
	initialized = false;
	#asked = 0;
	readonly #questions = new Map<unknown, (answer: Record<string, unknown>) => void>();

	constructor(config: FixtureConfig, release: string, send: Send) {
		this.#config = config;
		this.#release = release;
		this.#send = send;
	}

	request(id: Id, method: string, params: Record<string, unknown>): void {
		const reply = (result: Record<string, unknown>) => this.reply(id, params, result);
		switch (method) {
			case "initialize":
				this.#handshake(() => reply({ protocolVersion: this.#version(params), ...this.#introduction() }));
				break;
			case "server/discover":
				this.#handshake(() =>
					reply({ supportedVersions: ["2026-07-28"], ...this.#introduction(), ttlMs: 0, cacheScope: "private" }),
				);
				break;
			case "tools/list":
				reply(this.#toolPage(params.cursor));
				break;
			case "resources/list":
				reply({ resources: [{ uri: "fixture://a", name: "a" }], ...caching(params) });
				break;
			case "resources/templates/list":
				reply({ resourceTemplates: [], ...caching(params) });
				break;
			case "prompts/list":
				reply({ prompts: [], ...caching(params) });
				break;
			case "resources/subscribe":
				this.subscriptions.add(String(params.uri));
				reply({});
				break;
			case "resources/unsubscribe":
				this.subscriptions.delete(String(params.uri));
				reply({});
				break;
			case "logging/setLevel":
				this.logLevel = String(params.level);
				reply({});
				break;
			case "ping":
				reply({});
				break;
			default:
				this.#send({ id, error: { code: RPC_CODES.methodNotFound, message: `no method ${method}` } });
		}
	}

	/** Sends a result in the form that the request's era requires. */
	reply(id: Id, params: Record<string, unknown>, result: Record<string, unknown>): void {
		this.#send({ id, result: isModern(params) ? { resultType: "complete", ...result } : result });
	}

	notified(method: string, params: Record<string, unknown>): void {
		if (method === "notifications/initialized") this.initialized = true;
		if (method === "notifications/cancelled") this.cancelled.add(params.requestId);
	}

	/** Asks the client something and calls back with its whole answer. */
	ask(method: string, then: (answer: Record<string, unknown>) => void): void {
		const id = `fixture-${++this.#asked}`;
		this.#questions.set(id, then);
		this.#send({ id, method, params: {} });
	}

	answered(message: Record<string, unknown>): void {
		this.#questions.get(message.id)?.(message);
		this.#questions.delete(message.id);
	}

	#handshake(answer: () => void): void {
		const { startup } = this.#config;
		if (startup?.kind === "silent") return;
		if (startup?.kind === "garbage") process.stdout.write("{this is no JSON\n");
		else if (startup?.kind === "slow") setTimeout(answer, startup.ms);
		else {
			if (startup?.kind === "asks_client") this.ask("roots/list", () => {});
			answer();
		}
	}

	#introduction(): Record<string, unknown> {
		const { startup } = this.#config;
		const capabilities = {
			resources: { subscribe: true },
			logging: {},
			...(startup?.kind === "no_tools" ? {} : { tools: {} }),
		};
		return { capabilities, serverInfo: { name: "libmcp-fixture", version: this.#release } };
	}

	#version(params: Record<string, unknown>): unknown {
		return this.#config.startup?.kind === "wrong_version" ? "2024-11-05" : (params.protocolVersion ?? "2025-11-25");
	}

	#toolPage(cursor: unknown): Record<string, unknown> {
		const { moreTools = [], undeclared = false } = this.#config;
		const pages: FixtureTool[][] = [
			FIXTURE_TOOLS.map((each) => (undeclared ? tool(each.name, each.description) : each)),
			moreTools.map((name) => tool(name, "One more.", { annotations: { readOnlyHint: true } })),
		];
		const page = cursor === "2" ? 1 : 0;
		const more = page === 0 && moreTools.length > 0;
		return { tools: pages[page] ?? [], ...(more ? { nextCursor: "2" } : {}), ttlMs: 0, cacheScope: "private" };
	}
}

function isModern(params: Record<string, unknown>): boolean {
	const meta = params._meta;
	return typeof meta === "object" && meta !== null && "io.modelcontextprotocol/protocolVersion" in meta;
}

function caching(params: Record<string, unknown>): Record<string, unknown> {
	return isModern(params) ? { ttlMs: 0, cacheScope: "private" } : {};
}
