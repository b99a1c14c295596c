import type { CleatsError, ErrorCode } from "./errors.ts";
import { SCHEMA_VERSION, TOOLING_VERSION } from "./version.ts";

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
