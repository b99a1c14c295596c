import { type ClientDescription, RPC_CODES, type RpcContext, RpcError } from "libmcp";
import type { JsonObject } from "../contract/json.ts";
import type { SuspendedCall } from "../run/suspendedCalls.ts";
import { mayBeAsked } from "./askClient.ts";
import type { Link, LinkEvents } from "./link.ts";

export type Publish = (method: string, params: JsonObject) => void;

/** What the server says to whoever listens, not to the call it happens to be in. */
const FOR_LISTENERS: ReadonlySet<string> = new Set([
	"notifications/tools/list_changed",
	"notifications/prompts/list_changed",
	"notifications/resources/list_changed",
	"notifications/resources/updated",
]);

/** A connection of one client that can be asked; one call at a time may ask on it. */
export class AskingLink {
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
			if (mayBeAsked(client, question)) return call.ask(question, asked, withdrawn);
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
