import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile, userFolder } from "libmcp/launch";
import { isObject, type JsonObject } from "../contract/json.ts";

/** What logging in to a server left behind: client registration, tokens, where the authorization server was found. */
export class TokenStore {
	readonly #environment: NodeJS.ProcessEnv;

	constructor(environment: NodeJS.ProcessEnv) {
		this.#environment = environment;
	}

	/** Where there is no folder to keep it in, nothing was kept. */
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

	/** Only its owner can read the file, from the moment it exists. */
	write(serverUrl: string, changes: JsonObject): void {
		const kept = { server: serverUrl, ...this.read(serverUrl), ...changes };
		replaceFile(this.#file(serverUrl), JSON.stringify(kept), 0o600);
	}

	forget(serverUrl: string): boolean {
		const known = this.has(serverUrl);
		rmSync(this.#file(serverUrl), { force: true });
		return known;
	}

	#file(serverUrl: string): string {
		const name = createHash("sha256").update(serverUrl).digest("hex").slice(0, 32);
		return join(userFolder("state", this.#environment), "oauth", `${name}.json`);
	}
}
