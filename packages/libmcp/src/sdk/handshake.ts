import type { RpcError } from "../fault/rpcError.ts";
import { fitCapabilities } from "../server/protocol/fitContent.ts";
import { fitInfo } from "../server/protocol/fitResult.ts";
import { describeKind, isRecord, META } from "../server/protocol/protocol.ts";
import { protocolError } from "../server/protocol/rpcErrors.ts";

/**
 * Why the SDK refused a handshake; undefined when it did not. The SDK reports bad parameters as an internal error with
 * its validator's whole report as the message.
 */
export function handshakeRefusal(line: string): RpcError | undefined {
	const { error } = JSON.parse(line);
	if (error === undefined) return undefined;
	const { field, problem } = firstIssue(String(error.message));
	return protocolError("INVALID_PARAMS", `initialize: ${field}: ${problem}`, { field });
}

function firstIssue(report: string): { readonly field: string; readonly problem: string } {
	const unread = { field: "params", problem: report.slice(0, 200) };
	try {
		const [issue]: unknown[] = JSON.parse(report);
		if (!isRecord(issue) || !Array.isArray(issue.path)) return unread;
		return { field: issue.path.join("."), problem: String(issue.message) };
	} catch {
		return unread;
	}
}

/** The SDK's answer to a handshake without what the agreed revision lacks, and that revision. */
export function fitHandshake(line: string): { readonly line: string; readonly revision: string } {
	const answer = JSON.parse(line);
	const { protocolVersion: revision, capabilities, serverInfo, ...others } = answer.result;
	const result = {
		protocolVersion: revision,
		capabilities: fitCapabilities(isRecord(capabilities) ? capabilities : {}, revision),
		serverInfo: fitInfo(serverInfo, revision),
		...others,
	};
	return { line: JSON.stringify({ ...answer, result }), revision };
}

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
	return protocolError("INVALID_PARAMS", `${field}: expected ${what}, got ${describeKind(got)}`, { field });
}
