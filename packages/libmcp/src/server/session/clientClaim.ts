import type { RpcError } from "../../fault/rpcError.ts";
import type { ClientDescription } from "../protocol/dispatcher.ts";
import { fitClientCapabilities } from "../protocol/fitQuestion.ts";
import { describeKind, isLogLevel, isRecord, type LogLevel, META } from "../protocol/protocol.ts";
import { MODERN_REVISION, type Revision, revisionFor } from "../protocol/revisions.ts";
import { protocolError } from "../protocol/rpcErrors.ts";

/** What a request without a handshake declares about its sender in `_meta`. */
export type ClientClaim = { readonly client: ClientDescription; readonly logLevel?: LogLevel };

/** The version key alone makes a request modern; if it is present, any malformed member is an error. */
export function clientClaim(params: unknown): ClientClaim | undefined {
	const meta = isRecord(params) ? params._meta : undefined;
	if (!isRecord(meta) || !(META.protocolVersion in meta)) return undefined;
	const version = meta[META.protocolVersion];
	const capabilities = meta[META.clientCapabilities];
	const info = meta[META.clientInfo];
	const logLevel = meta[META.logLevel];
	if (typeof version !== "string") throw malformed(META.protocolVersion, "a string", version);
	if (!isRecord(capabilities)) throw malformed(META.clientCapabilities, "an object", capabilities);
	if (info !== undefined && !isClientInfo(info))
		throw malformed(META.clientInfo, "an object with a name and a version", info);
	if (logLevel !== undefined && !isLogLevel(logLevel)) throw malformed(META.logLevel, "a log level", logLevel);
	if (version !== MODERN_REVISION) throw unsupportedVersion(version);
	return {
		client: {
			protocolVersion: version,
			capabilities,
			...(info === undefined ? {} : { name: info.name, version: info.version }),
		},
		...(logLevel === undefined ? {} : { logLevel }),
	};
}

function unsupportedVersion(requested: string): RpcError {
	return protocolError("UNSUPPORTED_VERSION", `Unsupported protocol version: ${requested.slice(0, 64)}`, {
		supported: [MODERN_REVISION],
		requested,
	});
}

function isClientInfo(value: unknown): value is { readonly name: string; readonly version: string } {
	return isRecord(value) && typeof value.name === "string" && typeof value.version === "string";
}

function malformed(key: string, expected: string, got: unknown): RpcError {
	return protocolError("INVALID_PARAMS", `params._meta["${key}"]: expected ${expected}, got ${describeKind(got)}`, {
		envelope: { key, problem: got === undefined ? "missing" : `expected ${expected}` },
	});
}

/** Reads the client's side of the handshake: the revision that it gets, and what it declares of what that revision has. */
export function readInitialize(params: unknown): ClientDescription & { readonly protocolVersion: Revision } {
	if (!isRecord(params)) throw expected("params", "an object", params);
	const { protocolVersion, capabilities, clientInfo } = params;
	if (typeof protocolVersion !== "string") throw expected("params.protocolVersion", "a string", protocolVersion);
	if (!isRecord(capabilities)) throw expected("params.capabilities", "an object", capabilities);
	if (!isClientInfo(clientInfo)) throw expected("params.clientInfo", "an object with a name and a version", clientInfo);
	const { name, version } = clientInfo;
	const size = JSON.stringify({ name, version, protocolVersion, capabilities }).length;
	const revision = revisionFor(protocolVersion);
	if (size <= MAX_REMEMBERED)
		return { name, version, protocolVersion: revision, capabilities: fitClientCapabilities(capabilities, revision) };
	const what = `at most ${MAX_REMEMBERED} characters of version, capabilities and names`;
	throw protocolError("INVALID_PARAMS", `initialize: params: expected ${what}, got ${size}`, { field: "params" });
}

/** Limit on the client description, which is kept for the whole session; there may be thousands of sessions. */
const MAX_REMEMBERED = 64 * 1024;

function expected(field: string, what: string, got: unknown): RpcError {
	return protocolError("INVALID_PARAMS", `initialize: ${field}: expected ${what}, got ${describeKind(got)}`, { field });
}
