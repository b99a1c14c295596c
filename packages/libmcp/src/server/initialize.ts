import type { RpcError } from "../fault/rpcError.ts";
import { isClientInfo } from "./clientClaim.ts";
import type { ClientDescription } from "./dispatcher.ts";
import { fitClientCapabilities } from "./fitQuestion.ts";
import { isRecord, nameOf } from "./protocol.ts";
import { type Revision, revisionFor } from "./revisions.ts";
import { protocolError } from "./rpcErrors.ts";

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
	return protocolError("INVALID_PARAMS", `initialize: ${field}: expected ${what}, got ${nameOf(got)}`, { field });
}
