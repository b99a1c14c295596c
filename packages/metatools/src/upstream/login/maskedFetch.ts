import { isObject } from "../../contract/json.ts";
import { maskSecrets } from "../secrets/maskSecrets.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The fields of a token request that are no secrets; all others are taken for some. */
const PUBLIC_FIELDS = new Set(["client_id", "grant_type", "redirect_uri", "resource", "scope"]);

/**
 * A fetch for the SDK's OAuth client. Some servers quote what they were sent when they refuse it, and the SDK prints that
 * to stderr before it throws, so secrets are masked before it reads the answer.
 */
export function createMaskedFetch(inner: Fetch): Fetch {
	return async (url, init) => {
		const response = await inner(url, init);
		const secrets = secretsIn(init);
		if (response.body === null || secrets.length === 0) return response;
		const { status, statusText, headers } = response;
		return new Response(masked(await response.text(), secrets), { status, statusText, headers });
	};
}

function secretsIn({ body, headers }: RequestInit = {}): readonly string[] {
	if (!(body instanceof URLSearchParams)) return [];
	const fields = [...body].filter(([name]) => !PUBLIC_FIELDS.has(name)).map(([, value]) => value);
	const credentials = /^Basic (\S+)$/i.exec(new Headers(headers).get("authorization") ?? "")?.[1];
	if (credentials === undefined) return fields;
	const pair = atob(credentials);
	return [...fields, credentials, pair.slice(pair.indexOf(":") + 1)];
}

function masked(text: string, secrets: readonly string[]): string {
	let answer: unknown;
	try {
		answer = JSON.parse(text);
	} catch {
		return maskSecrets(text, secrets);
	}
	// An answer with tokens is passed on as it is: a server may send the same refresh token again.
	if (isObject(answer) && typeof answer.access_token === "string" && !("error" in answer)) return text;
	// Each text by itself, because JSON can spell a character in several ways.
	const cleaned = JSON.stringify(answer, (_, value) =>
		typeof value === "string" ? maskSecrets(value, secrets) : value,
	);
	return maskSecrets(cleaned, secrets);
}
