import type { RpcError } from "../fault/rpcError.ts";
import { isRecord, META, nameOf } from "../server/protocol.ts";
import { protocolError } from "../server/rpcErrors.ts";

/** Refuses a `_meta` that would make the SDK's reader drop the request silently. */
export function checkMeta(params: Readonly<Record<string, unknown>> | undefined): void {
	const meta = params?._meta;
	if (meta === undefined) return;
	if (!isRecord(meta)) throw expected("params._meta", "an object", meta);
	const { progressToken: token, [META.relatedTask]: task } = meta;
	if (token !== undefined && typeof token !== "string" && typeof token !== "number")
		throw expected("params._meta.progressToken", "a string or a number", token);
	if (task !== undefined && !(isRecord(task) && typeof task.taskId === "string"))
		throw expected(`params._meta["${META.relatedTask}"]`, "an object with a taskId", task);
}

function expected(field: string, what: string, got: unknown): RpcError {
	return protocolError("INVALID_PARAMS", `${field}: expected ${what}, got ${nameOf(got)}`, { field });
}
