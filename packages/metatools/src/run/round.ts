import type { RpcContext } from "libmcp";
import { isObject } from "../contract/json.ts";

/** One request of a call; a client without a handshake makes another to answer a question. */
export type Round = { readonly context: RpcContext; readonly params: unknown };

/** Undefined unless the client asked for progress on this request. */
export function progressTokenOf({ context, params }: Round): string | number | undefined {
	const { progressToken } = isObject(params) && isObject(params._meta) ? params._meta : {};
	const isToken = typeof progressToken === "string" || typeof progressToken === "number";
	return context.wantsProgress && isToken ? progressToken : undefined;
}
