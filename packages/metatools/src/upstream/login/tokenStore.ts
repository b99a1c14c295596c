import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inTurn, replaceFile, userFolder } from "libmcp/command";
import { isObject, type JsonObject } from "../../contract/json.ts";

/** Stores the results of logins: client registration, tokens, and the authorization server's metadata. */
export class TokenStore {
	readonly #environment: NodeJS.ProcessEnv;

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
			const value: unknown = JSON.parse(readFileSync(this.#file(serverUrl), "utf8"));
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

	#file(serverUrl: string): string {
		const name = createHash("sha256").update(serverUrl).digest("hex").slice(0, 32);
		return join(userFolder("state", this.#environment), "oauth", `${name}.json`);
	}
}
