import { fitCapabilities } from "../server/fitContent.ts";
import { fitInfo } from "../server/fitResult.ts";
import { isRecord } from "../server/protocol.ts";

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
