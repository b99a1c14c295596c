import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isObject, type JsonObject } from "../contract/json.ts";

/** What logging in to a server left behind: client registration, tokens, where the authorization server was found. */
export class TokenStore {
	readonly #folder: string;

	constructor(environment: NodeJS.ProcessEnv) {
		const state = environment.XDG_STATE_HOME || join(homedir(), ".local", "state");
		this.#folder = join(state, "holdfast", "oauth");
	}

	has(serverUrl: string): boolean {
		return existsSync(this.#file(serverUrl));
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
		const file = this.#file(serverUrl);
		mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
		const beside = `${file}.${process.pid}`;
		writeFileSync(beside, JSON.stringify({ server: serverUrl, ...this.read(serverUrl), ...changes }), { mode: 0o600 });
		renameSync(beside, file);
	}

	forget(serverUrl: string): boolean {
		const known = this.has(serverUrl);
		rmSync(this.#file(serverUrl), { force: true });
		return known;
	}

	#file(serverUrl: string): string {
		return join(this.#folder, `${createHash("sha256").update(serverUrl).digest("hex").slice(0, 32)}.json`);
	}
}
