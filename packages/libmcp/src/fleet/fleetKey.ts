import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Principal } from "../server/protocol/dispatcher.ts";
import type { Store } from "../store/store.ts";
import { StoreProblem } from "../store/storeProblem.ts";
import type { World } from "../world/world.ts";

/** What one node tells another of a request, and vouches for. */
export type Passed = {
	/** The id of the node that it is for: another one may be at its address by now. */
	readonly target: string;
	readonly method: string;
	/** The path that the client asked for, with its query. */
	readonly url: string;
	readonly session: string;
	readonly principal?: Principal;
	readonly at: number;
	readonly bodyHash: string;
};

export const PASSED_HEADER = "holdfast-fleet";
const SPACE = "fleet";
const KEY = "key";
/** How far the clocks of two nodes may be apart. */
const MOST_AGE_MS = 300_000;

/** The key that all nodes have: the operator's, or one that the first node has put into the store. */
export async function findFleetKey(store: Store, world: World, given: string | undefined): Promise<string> {
	if (given !== undefined && given !== "") return given;
	const known = await store.value(SPACE, KEY);
	if (known !== undefined) return known.value;
	const value = world.randomId(32);
	try {
		const row = { space: SPACE, key: KEY, value };
		await store.write({ writes: [{ kind: "set-value", row, was: null }], durability: "sync" });
		return value;
	} catch (error) {
		if (error instanceof StoreProblem && error.code === "CHANGED_MEANWHILE") return findFleetKey(store, world, given);
		throw error;
	}
}

/** What a request carries to another node, signed with the key of the fleet. */
export function signPassed(key: string, passed: Passed): string {
	const text = Buffer.from(JSON.stringify(passed)).toString("base64url");
	return `${text}.${macOf(key, text)}`;
}

/** What another node has signed; undefined if none of this fleet has, or long ago. */
export function readPassed(key: string, headers: IncomingHttpHeaders, now: number): Passed | undefined {
	const header = headers[PASSED_HEADER];
	if (typeof header !== "string") return undefined;
	const [text = "", mac = ""] = header.split(".");
	const [expected, got] = [Buffer.from(macOf(key, text)), Buffer.from(mac)];
	if (expected.length !== got.length || !timingSafeEqual(expected, got)) return undefined;
	const passed = JSON.parse(Buffer.from(text, "base64url").toString()) as Passed;
	return Math.abs(now - passed.at) <= MOST_AGE_MS ? passed : undefined;
}

/** Binds a signature to a body. */
export function hashBody(body: Buffer | undefined): string {
	return body === undefined ? "" : createHash("sha256").update(body).digest("base64url");
}

function macOf(key: string, text: string): string {
	return createHmac("sha256", key).update(text).digest("base64url");
}
