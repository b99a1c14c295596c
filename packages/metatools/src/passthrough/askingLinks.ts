import type { RpcContext } from "libmcp";
import { RPC_CODES, RpcError } from "libmcp";
import type { JsonObject } from "../contract/json.ts";
import { SuspendedCall, SuspendedCalls } from "../run/suspendedCalls.ts";
import { mayBeAsked } from "./askClient.ts";
import { logLevelOf, withoutClaim } from "./claim.ts";
import type { Link } from "./link.ts";
import type { UpstreamDoor } from "./upstreamDoor.ts";

type AskingLink = {
	readonly link: Link;
	asks: (method: string, params: JsonObject) => Promise<unknown>;
	tell: RpcContext["notify"];
};

const MOST_IDLE = 8;

/**
 * Calls of clients without a handshake to a server with one that may ask questions during a call. Such a server cannot say
 * which call a question belongs to, so each of these calls gets its own connection while it lasts.
 */
export class AskingLinks {
	readonly #door: UpstreamDoor;
	readonly #suspended = new SuspendedCalls();
	readonly #conversations = new WeakMap<SuspendedCall, AskingLink>();
	#idle: { readonly key: string; readonly asking: AskingLink }[] = [];

	constructor(door: UpstreamDoor) {
		this.#door = door;
	}

	async call(method: string, params: JsonObject, context: RpcContext): Promise<unknown> {
		const owner = context.principal?.id;
		const { inputResponses, requestState, ...fresh } = params;
		const call =
			requestState === undefined
				? await this.#begin(method, fresh, context)
				: this.#resume(this.#suspended.take(requestState, owner), context);
		const result = await call.round(context, inputResponses);
		if (!call.over) this.#suspended.keep(call);
		return result;
	}

	end(): void {
		this.#suspended.end();
		this.#idle = [];
	}

	async #begin(method: string, params: JsonObject, context: RpcContext): Promise<SuspendedCall> {
		const key = JSON.stringify([context.principal?.id, context.client.capabilities]);
		const asking = this.#takeIdle(key) ?? (await this.#open(context));
		// The client may have gone while the server started.
		if (context.signal.aborted) this.#giveBack(key, asking);
		context.signal.throwIfAborted();
		const call = new SuspendedCall(context.principal?.id);
		asking.asks = (question, asked) => {
			if (mayBeAsked(context.client, question)) return call.ask(question, asked);
			return Promise.reject(new RpcError(RPC_CODES.methodNotFound, `The client does not offer ${question}.`));
		};
		this.#conversations.set(call, asking);
		this.#resume(call, context);
		if (logLevelOf(params) !== undefined) await asking.link.wantLogs();
		const during: RpcContext = { ...surface(context), signal: call.signal };
		call.run(asking.link.call(method, withoutClaim(params), during).finally(() => this.#giveBack(key, asking)));
		return call;
	}

	/** Routes the server's messages to the round that is currently open. */
	#resume(call: SuspendedCall, context: RpcContext): SuspendedCall {
		const asking = this.#conversations.get(call);
		if (asking !== undefined) asking.tell = (said, news) => context.notify(said, news);
		return call;
	}

	async #open(context: RpcContext): Promise<AskingLink> {
		const asking: Omit<AskingLink, "link"> = {
			asks: () => Promise.reject(new RpcError(RPC_CODES.methodNotFound, "Nobody has called.")),
			tell: () => {},
		};
		const link = await this.#door.legacy(context.client, {
			onRequest: (method, params) => asking.asks(method, params),
			onNotification: (method, params) => asking.tell(method, { ...params }),
		});
		return Object.assign(asking, { link });
	}

	#takeIdle(key: string): AskingLink | undefined {
		this.#idle = this.#idle.filter(({ asking }) => !asking.link.isClosed);
		const at = this.#idle.findIndex((entry) => entry.key === key);
		return at === -1 ? undefined : this.#idle.splice(at, 1)[0]?.asking;
	}

	#giveBack(key: string, asking: AskingLink): void {
		if (asking.link.isClosed) return;
		asking.tell = () => {};
		this.#idle.push({ key, asking });
		if (this.#idle.length > MOST_IDLE) void this.#idle.shift()?.asking.link.close();
	}
}

/** Copies a context's members, which may be getters on its class, to a plain object. */
function surface(context: RpcContext): RpcContext {
	return {
		era: context.era,
		id: context.id,
		signal: context.signal,
		client: context.client,
		wantsProgress: context.wantsProgress,
		progress: (update) => context.progress(update),
		notify: (method, params) => context.notify(method, params),
		request: (method, params) => context.request(method, params),
		...(context.principal !== undefined && { principal: context.principal }),
	};
}
