import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inTurn, replaceFile, userFolder } from "libmcp/command";
import { isObject, type JsonObject } from "../../contract/json.ts";
import type { ReachableSpec } from "../spec.ts";

/** What a login has stored for a server, if anything. */
export type StoredLogin = (spec: ReachableSpec) => { readonly token: string | undefined } | undefined;

const KEEP_AGAIN_MS = 2_000;

/** Stores the results of logins: client registration, tokens, and the authorization server's metadata. */
export class TokenStore {
	readonly #environment: NodeJS.ProcessEnv;
	/** Renewed logins that could not be written, each with the text of the file that it makes worthless. */
	readonly #unwritten = new Map<string, { readonly over: string; readonly login: JsonObject }>();

	constructor(environment: NodeJS.ProcessEnv) {
		this.#environment = environment;
	}

	/** Without a state folder nothing can have been stored. */
	has(serverUrl: string): boolean {
		try {
			return existsSync(this.#file(serverUrl));
		} catch {
			return false;
		}
	}

	read(serverUrl: string): JsonObject {
		try {
			const text = readFileSync(this.#file(serverUrl), "utf8");
			const unwritten = this.#unwritten.get(serverUrl);
			if (unwritten?.over === text) return unwritten.login;
			const value: unknown = JSON.parse(text);
			return isObject(value) ? value : {};
		} catch {
			return {};
		}
	}

	accessToken(serverUrl: string): string | undefined {
		const { tokens } = this.read(serverUrl);
		return isObject(tokens) && typeof tokens.access_token === "string" ? tokens.access_token : undefined;
	}

	/** Only in a turn, or what another process writes meanwhile is lost. The file is never readable by others. */
	write(serverUrl: string, changes: JsonObject): void {
		const kept = { server: serverUrl, ...this.read(serverUrl), ...changes };
		replaceFile(this.#file(serverUrl), JSON.stringify(kept), 0o600);
	}

	/** Like `write`, but what cannot be written is used by this process meanwhile, and written as soon as it can be. */
	keep(serverUrl: string, changes: JsonObject): void {
		try {
			this.write(serverUrl, changes);
			this.#unwritten.delete(serverUrl);
		} catch {
			const over = readFileSync(this.#file(serverUrl), "utf8");
			this.#unwritten.set(serverUrl, { over, login: { ...this.read(serverUrl), ...changes } });
			setTimeout(() => void this.inTurn(serverUrl, () => this.#keepAgain(serverUrl)), KEEP_AGAIN_MS).unref();
		}
	}

	/** Whether there was a login to delete. A renewal under way ends first, or it would store the login again. */
	forget(serverUrl: string): Promise<boolean> {
		return this.inTurn(serverUrl, () => {
			const known = this.has(serverUrl);
			rmSync(this.#file(serverUrl), { force: true });
			return known;
		});
	}

	/** Runs something while nobody else renews: a refresh token can be used once, and a second use may end the login. */
	inTurn<Value>(serverUrl: string, run: () => Value | Promise<Value>): Promise<Value> {
		return inTurn(this.#file(serverUrl), run);
	}

	/** Nothing is kept of a login that was deleted or made anew meanwhile. */
	#keepAgain(serverUrl: string): void {
		const login = this.#unwritten.get(serverUrl)?.login;
		if (login === undefined) return;
		if (this.read(serverUrl) === login) this.keep(serverUrl, {});
		else this.#unwritten.delete(serverUrl);
	}

	#file(serverUrl: string): string {
		const name = createHash("sha256").update(serverUrl).digest("hex").slice(0, 32);
		return join(userFolder("state", this.#environment), "oauth", `${name}.json`);
	}
}

const POLL_MS = 1_000;

/** Waits until what a login has stored is as wanted; false if the wait ended before, by its limit or an abort. */
export async function waitUntilStored(
	isAsWanted: () => boolean,
	{ signal, mostMs = Number.POSITIVE_INFINITY }: { readonly signal: AbortSignal; readonly mostMs?: number },
): Promise<boolean> {
	const due = performance.now() + mostMs;
	while (!signal.aborted && performance.now() < due) {
		if (isAsWanted()) return true;
		await delay(POLL_MS, undefined, { signal, ref: false }).catch(() => {});
	}
	return false;
}
