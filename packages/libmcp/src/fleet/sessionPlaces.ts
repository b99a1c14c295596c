import { sealOf } from "../sessions/seal.ts";
import type { Store } from "../store/store.ts";
import { StoreProblem } from "../store/storeProblem.ts";
import type { FleetMember, FleetNode } from "./fleetNode.ts";

/** Where a session is served. */
export type Place =
	/** No node has it. */
	| { readonly kind: "none" }
	/** This node has it, or may take it from the store. */
	| { readonly kind: "here" }
	| { readonly kind: "there"; readonly owner: string; readonly address: string | undefined };

const MOST_REMEMBERED = 50_000;

/** Which node serves which session. What was seen once is believed until it turns out to be otherwise. */
export class SessionPlaces {
	readonly #store: Store;
	readonly #node: FleetNode;
	readonly #owners = new Map<string, string>();
	readonly #members = new Map<string, FleetMember>();

	constructor(store: Store, node: FleetNode) {
		this.#store = store;
		this.#node = node;
	}

	/** Asks the store only for what is not known. Rejects with a StoreProblem. */
	async find(session: string): Promise<Place> {
		const owner = this.#owners.get(session) ?? (await this.#readOwner(session));
		if (owner === undefined) return { kind: "none" };
		if (owner === this.#node.id) return { kind: "here" };
		const member = this.#members.get(owner) ?? (owner === "" ? undefined : await this.#node.member(owner));
		if (member !== undefined) this.#members.set(owner, member);
		return { kind: "there", owner, address: member?.address };
	}

	/** What was believed of this session has turned out wrong. */
	forget(session: string): void {
		this.#owners.delete(session);
	}

	/** Makes this node the owner if the node that was is gone. False while that is not certain. */
	async takeOver(session: string, from: string): Promise<boolean> {
		this.forget(session);
		const now = await this.#readOwner(session);
		// Somebody else was faster, or the session has ended: there is something new to find.
		if (now !== from) return true;
		if (from !== "" && !(await this.#node.declareDead(from))) return false;
		this.#members.delete(from);
		const { owner = "", fence } = this.#node.writer;
		const was = from === "" ? null : from;
		try {
			await this.#store.write({
				writes: [{ kind: "claim-session", session: sealOf(session).name, owner, was }],
				durability: "async",
				...(fence !== undefined && { fence }),
			});
			this.#remember(session, owner);
		} catch (error) {
			if (!(error instanceof StoreProblem) || error.code !== "CHANGED_MEANWHILE") throw error;
			this.forget(session);
		}
		return true;
	}

	/** Undefined if there is no such session; empty if nobody has it. */
	async #readOwner(session: string): Promise<string | undefined> {
		const row = await this.#store.session(sealOf(session).name);
		if (row === undefined) return undefined;
		const owner = row.owner ?? "";
		this.#remember(session, owner);
		return owner;
	}

	#remember(session: string, owner: string): void {
		this.#owners.delete(session);
		this.#owners.set(session, owner);
		const [oldest] = this.#owners.keys();
		if (this.#owners.size > MOST_REMEMBERED && oldest !== undefined) this.#owners.delete(oldest);
	}
}
