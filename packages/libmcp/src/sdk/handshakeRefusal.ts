import type { RpcError } from "../fault/rpcError.ts";
import { isRecord } from "../server/protocol.ts";
import { protocolError } from "../server/rpcErrors.ts";

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
