import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CleatsError, ErrorCode } from "./errors.ts";

/** The response of every interface (MCP, HTTP, CLI), with exactly these top-level keys. */
export type Envelope = SuccessEnvelope | FailureEnvelope;

export type SuccessEnvelope = { readonly ok: true; readonly result: EnvelopeResult; readonly _meta: EnvelopeMeta };
export type FailureEnvelope = { readonly ok: false; readonly error: EnvelopeError; readonly _meta: EnvelopeMeta };
export type EnvelopeResult = Readonly<Record<string, unknown>>;

export type EnvelopeError = {
	readonly code: ErrorCode;
	readonly message: string;
	readonly details?: Readonly<Record<string, unknown>>;
};

export type EnvelopeMeta = {
	readonly schemaVersion: string;
	readonly toolingVersion: string;
	/** ISO 8601, UTC. */
	readonly ts: string;
	readonly requestId?: string;
	readonly repo?: string;
	readonly durationMs?: number;
	readonly warnings?: readonly EnvelopeWarning[];
};

export type EnvelopeWarning = { readonly code: string; readonly message: string; readonly field?: string };

/** What is known about the request that the envelope answers. */
export type EnvelopeFacts = Pick<EnvelopeMeta, "requestId" | "repo" | "durationMs" | "warnings">;

export function success(result: EnvelopeResult, facts: EnvelopeFacts = {}): SuccessEnvelope {
	return { ok: true, result, _meta: metaOf(facts) };
}

export function failure(error: CleatsError, facts: EnvelopeFacts = {}): FailureEnvelope {
	return { ok: false, error: errorOf(error), _meta: metaOf(facts) };
}

function errorOf({ code, message, details }: CleatsError): EnvelopeError {
	const empty = Object.keys(details).length === 0;
	return { code, message, ...(empty ? {} : { details }) };
}

function metaOf({ requestId, repo, durationMs, warnings }: EnvelopeFacts): EnvelopeMeta {
	return {
		schemaVersion: SCHEMA_VERSION,
		toolingVersion: TOOLING_VERSION,
		ts: new Date().toISOString(),
		...(requestId !== undefined && { requestId }),
		...(repo !== undefined && { repo }),
		...(durationMs !== undefined && { durationMs }),
		...(warnings !== undefined && warnings.length > 0 && { warnings }),
	};
}

/** The version of the installed package, as every interface reports it. */
export const VERSION: string = readVersion();

function readVersion(): string {
	const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
	const version =
		typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
	if (typeof version !== "string") throw new Error("package.json: expected a version");
	return version;
}

/**
 * Version of the contract: tool definitions, envelopes, error codes. The governance check tells when it must be raised.
 */
export const SCHEMA_VERSION = "2.0.1";
/** Version of the package, as reported in responses. */
export const TOOLING_VERSION: string = VERSION;

/** The schema version reported by the legacy transport: a whole number that never decreases. */
export const SCHEMA_MAJOR = Number(SCHEMA_VERSION.split(".", 1)[0]);

const LONGEST = 128;
const GIVEN = new RegExp(`^[\\x21-\\x7e]{1,${LONGEST}}$`);

/** The caller's own correlation id; undefined if it would not fit into a header and a log line. */
export function givenRequestId(value: unknown): string | undefined {
	return typeof value === "string" && GIVEN.test(value) ? value : undefined;
}

/** A JSON-RPC id, however long, as the request id of envelopes and logs. */
export function requestIdOfRpc(text: string): string {
	return text.slice(0, LONGEST);
}
