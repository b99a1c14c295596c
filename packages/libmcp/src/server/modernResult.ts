import { eachOf } from "./fitContent.ts";
import { fitTool } from "./fitResult.ts";
import { isRecord, META } from "./protocol.ts";
import { MODERN_REVISION } from "./revisions.ts";
import type { ServerInfo } from "./serverDescription.ts";
import { WrittenResult } from "./writtenResult.ts";

const CACHEABLE: ReadonlySet<string> = new Set([
	"tools/list",
	"prompts/list",
	"resources/list",
	"resources/templates/list",
	"resources/read",
	"server/discover",
]);

/** Adds the members that revision 2026-07-28 requires in every result, unless the handler set them. */
export function modernResult(method: string, given: unknown, info: ServerInfo): unknown {
	if (given instanceof WrittenResult && isStampable(method, given)) return addModernMembers(given, info);
	const result = given instanceof WrittenResult ? given.toJSON() : given;
	if (result !== undefined && !isRecord(result)) return result;
	const resultType = result?.resultType ?? "complete";
	const meta = result?._meta;
	return {
		...result,
		...(method === "tools/list" && { tools: eachOf(result?.tools, (tool) => fitTool(tool, MODERN_REVISION)) }),
		resultType,
		...(resultType === "complete" && CACHEABLE.has(method) ? cacheFields(result) : {}),
		_meta: { [META.serverInfo]: info, ...(isRecord(meta) ? meta : {}) },
	};
}

// Members are appended to the text: parsing and writing it again would be slow and round its numbers.
function isStampable(method: string, written: WrittenResult): boolean {
	if (CACHEABLE.has(method) || written.members === "") return false;
	if (!/"(?:_meta|resultType)"/.test(written.members)) return true;
	const result = written.toJSON();
	return !("_meta" in result || "resultType" in result);
}

function addModernMembers({ members }: WrittenResult, info: ServerInfo): WrittenResult {
	const meta = JSON.stringify({ [META.serverInfo]: info });
	return new WrittenResult(`${members},"resultType":"complete","_meta":${meta}`);
}

function cacheFields(result: Record<string, unknown> | undefined): Record<string, unknown> {
	const { ttlMs, cacheScope } = result ?? {};
	return {
		ttlMs: Number.isInteger(ttlMs) && Number(ttlMs) >= 0 ? ttlMs : 0,
		cacheScope: cacheScope === "public" ? "public" : "private",
	};
}
