import { type ClientDescription, RPC_CODES, type RpcContext, RpcError } from "libmcp";
import type { JsonObject } from "../../contract/json.ts";
import { digestCall, type Round, readProgressToken, SuspendedCall, SuspendedCalls } from "../../run/suspendedCalls.ts";
import { canBeAskedThis } from "./askClient.ts";
import { readLogLevel, removeClaim } from "./claim.ts";
import type { Link, LinkEvents } from "./link.ts";
import { resubscribe } from "./sharedLink.ts";
import type { UpstreamDoor } from "./upstreamDoor.ts";

const MOST_IDLE = 8;

/**
 * Calls of clients without a handshake to a server with one that may ask questions during a call. Such a server cannot say
 * which call a question belongs to, so each client keeps one connection, and gets another only for a call that begins
 * while one is in flight there.
 */
export class AskingLinks {
	readonly #door: UpstreamDoor;
	readonly #publish: Publish;
	readonly #suspended = new SuspendedCalls();
	readonly #conversations = new WeakMap<SuspendedCall, AskingLink>();
	/** In the order of their opening: the first of a client is the one it keeps. */
	#links: AskingLink[] = [];
	#watched: ReadonlySet<string> = new Set();

	constructor(door: UpstreamDoor, publish: Publish) {
		this.#door = door;
		this.#publish = publish;
	}

	async call(method: string, params: JsonObject, context: RpcContext): Promise<unknown> {
		const owner = context.principal?.id;
		const { inputResponses: _, requestState, ...fresh } = params;
		const call =
			requestState === undefined
				? await this.#begin(method, fresh, context)
				: this.#resume(this.#suspended.take(requestState, owner, digestCall(method, fresh)), context);
		const result = await call.round({ context, params });
		if (!call.over) this.#suspended.keep(call);
		return result;
	}

	/** The connection that the client keeps, if it has one: what its calls changed there shows only there. */
	keptBy(context: RpcContext): Link | undefined {
		const client = keyOf(context);
		return this.#links.find((asking) => asking.client === client && !asking.isGone)?.link;
	}

	/** The connection that the client keeps, opened if need be: a server may offer more to one that can be asked. */
	async kept(context: RpcContext): Promise<Link> {
		const known = this.keptBy(context);
		if (known !== undefined) return known;
		const asking = this.#take(context);
		try {
			return await asking.opening;
		} finally {
			this.#release(asking);
		}
	}

	/** Subscribes to exactly the resources that clients watch now, wherever a call may change them. */
	watch(uris: ReadonlySet<string>): void {
		for (const { link } of this.#links) if (link !== undefined) resubscribe(link, uris, this.#watched);
		this.#watched = uris;
	}

	/** Ends the calls that wait for an answer; their connections close with the door. */
	end(): void {
		this.#suspended.end();
	}

	async #begin(method: string, params: JsonObject, context: RpcContext): Promise<SuspendedCall> {
		const asking = this.#take(context);
		try {
			const link = await asking.opening;
			// The client may have gone while the server started.
			context.signal.throwIfAborted();
			const call = new SuspendedCall(digestCall(method, params), { context, params });
			asking.belongsTo(call, context.client);
			this.#conversations.set(call, asking);
			this.#resume(call, context);
			if (readLogLevel(params) !== undefined) await link.wantLogs(context.signal);
			const during: RpcContext = {
				...surface(context),
				signal: call.signal,
				notify: (told, about) => tellRound(call.latest, told, about),
			};
			call.run(link.call(method, removeClaim(params), during).finally(() => this.#done(asking, call)));
			return call;
		} catch (thrown) {
			this.#release(asking);
			throw thrown;
		}
	}

	#resume(call: SuspendedCall, context: RpcContext): SuspendedCall {
		this.#conversations.get(call)?.tell(context);
		return call;
	}

	#take(context: RpcContext): AskingLink {
		const client = keyOf(context);
		const asking = this.#links.find((known) => known.client === client && known.isFree) ?? this.#open(client, context);
		asking.take();
		return asking;
	}

	#open(client: string, context: RpcContext): AskingLink {
		const asking = new AskingLink(client, (events) => this.#door.legacy(context.client, events), this.#publish);
		this.#links.push(asking);
		const forget = (): void => {
			this.#links = this.#links.filter((known) => known !== asking);
		};
		asking.opening.then((link) => {
			resubscribe(link, this.#watched);
			void link.closed.then(forget);
		}, forget);
		return asking;
	}

	/** A call that was given up may still ask, so no other call follows it on its connection. */
	#done(asking: AskingLink, { signal }: SuspendedCall): void {
		if (signal.aborted) void asking.link?.close();
		else this.#release(asking);
	}

	/** Closes one that is too many: rather a second one of a client than the one it keeps. */
	#release(asking: AskingLink): void {
		asking.release();
		const idle = this.#links.filter((known) => known.isFree);
		if (idle.length <= MOST_IDLE) return;
		const isKept = (known: AskingLink): boolean => this.#links.find(({ client }) => client === known.client) === known;
		const [unused] = idle.toSorted((a, b) => Number(isKept(a)) - Number(isKept(b)) || a.lastUse - b.lastUse);
		void unused?.link?.close();
	}
}

function keyOf({ principal, client }: RpcContext): string {
	return JSON.stringify([principal?.id, client.capabilities]);
}

/** Progress carries the token of the request that the client has open. */
function tellRound(round: Round, method: string, params: JsonObject = {}): void {
	const progressToken = readProgressToken(round);
	if (method !== "notifications/progress") round.context.notify(method, params);
	else if (progressToken !== undefined) round.context.notify(method, { ...params, progressToken });
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
		request: (method, params, until) => context.request(method, params, until),
		...(context.principal !== undefined && { principal: context.principal }),
	};
}

type Publish = (method: string, params: JsonObject) => void;

/** What the server says to whoever listens, not to the call it happens to be in. */
const FOR_LISTENERS: ReadonlySet<string> = new Set([
	"notifications/tools/list_changed",
	"notifications/prompts/list_changed",
	"notifications/resources/list_changed",
	"notifications/resources/updated",
]);

/** A connection of one client that can be asked; one call at a time may ask on it. */
class AskingLink {
	/** Whose it is; calls of others never use it. */
	readonly client: string;
	readonly opening: Promise<Link>;
	lastUse: number = performance.now();
	#opened: Link | undefined;
	#isTaken: boolean = false;
	#asks: LinkEvents["onRequest"] | undefined;
	#tell: RpcContext["notify"] | undefined;

	constructor(client: string, open: (events: LinkEvents) => Promise<Link>, publish: Publish) {
		this.client = client;
		this.opening = open({
			onRequest: async (...question) => {
				if (this.#asks === undefined) throw new RpcError(RPC_CODES.methodNotFound, "Nobody has called.");
				return this.#asks(...question);
			},
			onNotification: (method, params) => {
				if (FOR_LISTENERS.has(method)) publish(method, params);
				else this.#tell?.(method, { ...params });
			},
		});
		this.opening.then(
			(link) => {
				this.#opened = link;
			},
			() => {},
		);
	}

	/** The connection, while it is open. */
	get link(): Link | undefined {
		return this.#opened?.isClosed === false ? this.#opened : undefined;
	}

	get isGone(): boolean {
		return this.#opened?.isClosed === true;
	}

	get isFree(): boolean {
		return !this.#isTaken && !this.isGone;
	}

	take(): void {
		this.#isTaken = true;
	}

	/** From now on the server's questions belong to this call, and are put to its client if it offers to answer them. */
	belongsTo(call: SuspendedCall, client: ClientDescription): void {
		this.#asks = async (question, asked, withdrawn) => {
			if (canBeAskedThis(client, question)) return call.ask(question, asked, withdrawn);
			throw new RpcError(RPC_CODES.methodNotFound, `The client does not offer ${question}.`);
		};
	}

	/** Routes the server's messages to the round that is currently open. */
	tell(context: RpcContext): void {
		this.#tell = (method, params) => context.notify(method, params);
	}

	release(): void {
		this.#isTaken = false;
		this.lastUse = performance.now();
		this.#asks = undefined;
		this.#tell = undefined;
	}
}
