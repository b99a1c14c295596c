import type { RpcError } from "../fault/rpcError.ts";
import { isRecord, nameOf } from "../server/protocol.ts";
import { protocolError } from "../server/rpcErrors.ts";

const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** Refuses a `_meta` that would make the SDK's reader drop the request silently. */
export function checkMeta(params: Readonly<Record<string, unknown>> | undefined): void {
	const meta = params?._meta;
	if (meta === undefined) return;
	if (!isRecord(meta)) throw expected("params._meta", "an object", meta);
	const { progressToken: token, [RELATED_TASK]: task } = meta;
	if (token !== undefined && typeof token !== "string" && typeof token !== "number")
		throw expected("params._meta.progressToken", "a string or a number", token);
	if (task !== undefined && !(isRecord(task) && typeof task.taskId === "string"))
		throw expected(`params._meta["${RELATED_TASK}"]`, "an object with a taskId", task);
}

function expected(field: string, what: string, got: unknown): RpcError {
	return protocolError("INVALID_PARAMS", `${field}: expected ${what}, got ${nameOf(got)}`, { field });
}
