import { signal } from "@preact/signals";
import type { Answers } from "../../api/answers.ts";
import { parseExactly } from "./exactJson.ts";

const TOKEN = "holdfast.token";

/** True while the server asks for a token that the page does not have. */
export const locked = signal(false);
/** Why the token that the page sent does not open the console. */
export const refused = signal<string | undefined>();

const NOT_ACCEPTED = "The server did not accept that token.";
const NOT_THE_OWNERS = "That is a key to the tools. The console needs the token of holdfast up.";

/** Why no token opens the console, if the server was started without one. */
export const unopenable = signal<string | undefined>();

/** An error from the API's envelope; status 0 means that no answer came. */
export class ApiFailure extends Error {
	override readonly name = "ApiFailure";
	readonly status: number;
	readonly code: string;

	constructor(status: number, code: string, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

export type Ask = { readonly body?: unknown; readonly signal?: AbortSignal };

/** Asks the endpoint with this id; `path` is its address with all parts filled in. */
export async function api<Id extends keyof Answers>(
	path: string,
	{ body, signal: stop }: Ask = {},
): Promise<Answers[Id]> {
	const response = await request(path, {
		...(stop !== undefined && { signal: stop }),
		...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
	});
	return parseExactly(await response.text()) as Answers[Id];
}

/** Throws an ApiFailure unless the request succeeds or is aborted. */
export async function request(path: string, init: RequestInit): Promise<Response> {
	const token = sessionStorage.getItem(TOKEN);
	const headers = new Headers({ "content-type": "application/json" });
	if (token !== null) headers.set("authorization", `Bearer ${token}`);
	let response: Response;
	try {
		response = await fetch(path, { ...init, headers });
	} catch (error) {
		if (error instanceof DOMException && error.name === "AbortError") throw error;
		throw new ApiFailure(0, "unreachable", "The server does not answer.");
	}
	if (response.ok) {
		// The server may have been restarted without a token.
		locked.value = false;
		return response;
	}
	const said = await response.json().catch(() => ({}));
	if (response.status === 401) {
		unopenable.value = said.error?.reason === "no_owner" ? String(said.error.message) : undefined;
		refused.value = token === null ? undefined : NOT_ACCEPTED;
		locked.value = true;
	} else if (response.status === 403 && token !== null) {
		refused.value = NOT_THE_OWNERS;
		locked.value = true;
	}
	const { code = "error", message = `The server answered ${response.status}.` } = said.error ?? {};
	throw new ApiFailure(response.status, String(code), String(message));
}

export function unlock(typed: string): void {
	const token = typed.trim();
	refused.value = SENDABLE.test(token) ? undefined : NOT_ACCEPTED;
	if (refused.value !== undefined) return;
	sessionStorage.setItem(TOKEN, token);
	locked.value = false;
}

/** Every token that a server takes. Others come with text that is copied from a chat, and no request that carries one is read. */
const SENDABLE = /^[\w.~+/-]+=*$/;

export function readFailure(error: unknown): ApiFailure {
	return error instanceof ApiFailure
		? error
		: new ApiFailure(0, "page", error instanceof Error ? error.message : String(error));
}
