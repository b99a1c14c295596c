import { EFFECT_META_KEY, readToolEffect } from "../../replay/effect.ts";
import { fitCapabilities, fitContent, type Members, mapEach, omitMembers } from "./fitContent.ts";
import { WrittenResult } from "./outlet.ts";
import { isRecord, META } from "./protocol.ts";
import { hasFeature, MODERN_REVISION } from "./revisions.ts";
import type { ServerDescription, ServerInfo } from "./serverDescription.ts";

/** The result without what the revision of its client lacks; as much of that as can be said otherwise is. */
export function fitResult(revision: string, method: string, result: unknown): unknown {
	if (!(result instanceof WrittenResult)) return isRecord(result) ? fitMembers(revision, method, result) : result;
	// Reading and writing it again would be slow and round its numbers, so it stays where nothing can be missing.
	if (method !== "tools/call" || hasFeature(revision, "structuredContent")) return result;
	return fitMembers(revision, method, result.toJSON());
}

/** The same for a result that is an object. */
export function fitMembers(revision: string, method: string, result: Members): Members {
	if (hasFeature(revision, "anyStructuredContent")) return result;
	switch (method) {
		case "tools/list":
			return { ...result, tools: mapEach(result.tools, (tool) => fitTool(tool, revision)) };
		case "tools/call":
		case "tasks/result":
			return fitToolResult(result, revision);
		case "prompts/list":
			return { ...result, prompts: mapEach(result.prompts, (prompt) => fitPrompt(prompt, revision)) };
		case "prompts/get":
			return { ...result, messages: mapEach(result.messages, (message) => fitMessage(message, revision)) };
		case "resources/list":
			return { ...result, resources: mapEach(result.resources, (resource) => fitResource(resource, revision)) };
		case "resources/templates/list":
			return { ...result, resourceTemplates: mapEach(result.resourceTemplates, (one) => fitResource(one, revision)) };
		default:
			return result;
	}
}

/** A listed tool as the revision has it. */
export function fitTool(tool: Members, revision: string): Members {
	const { title, annotations, outputSchema, _meta } = tool;
	const isObjects = isRecord(outputSchema) && outputSchema.type === "object";
	const fit = omitMembers(tool, revision, {
		title: "titles",
		icons: "icons",
		execution: "tasks",
		annotations: "toolAnnotations",
		outputSchema: isObjects ? "structuredContent" : "anyStructuredContent",
	});
	if (fit === tool) return tool;
	const hints = isRecord(annotations) ? annotations : {};
	// This revision has the title among the annotations.
	if ("title" in tool && !("title" in fit) && hasFeature(revision, "toolAnnotations"))
		return { ...fit, annotations: { title, ...hints } };
	if (!("annotations" in tool) || "annotations" in fit) return fit;
	// A host reads from the annotations which calls it may repeat, so say that where they are left out.
	return { ...fit, _meta: { [EFFECT_META_KEY]: readToolEffect(tool), ...(isRecord(_meta) ? _meta : {}) } };
}

function fitToolResult(result: Members, revision: string): Members {
	const { structuredContent: data } = result;
	const fit = omitMembers(result, revision, {
		structuredContent: isRecord(data) ? "structuredContent" : "anyStructuredContent",
	});
	const content = Array.isArray(result.content) ? result.content : [];
	const isUntold = fit !== result && !content.some((block) => isRecord(block) && block.type === "text");
	const told = isUntold ? [...content, { type: "text", text: JSON.stringify(data) }] : result.content;
	return "content" in result || isUntold
		? { ...fit, content: mapEach(told, (block) => fitContent(block, revision)) }
		: fit;
}

function fitPrompt(prompt: Members, revision: string): Members {
	const fit = omitMembers(prompt, revision, { title: "titles", icons: "icons" });
	if (!("arguments" in fit)) return fit;
	return { ...fit, arguments: mapEach(fit.arguments, (one) => omitMembers(one, revision, { title: "titles" })) };
}

function fitMessage(message: Members, revision: string): Members {
	return isRecord(message.content) ? { ...message, content: fitContent(message.content, revision) } : message;
}

function fitResource(resource: Members, revision: string): Members {
	const { annotations } = resource;
	const fit = omitMembers(resource, revision, { title: "titles", icons: "icons" });
	if (!isRecord(annotations)) return fit;
	return { ...fit, annotations: omitMembers(annotations, revision, { lastModified: "lastModified" }) };
}

/** What a server says about itself, as the revision has it. */
export function fitDescription(description: ServerDescription, revision: string): ServerDescription {
	const info = fitInfo(description.info, revision);
	const capabilities = fitCapabilities({ ...description.capabilities }, revision);
	return { ...description, info, capabilities };
}

/** Name and version of a server, and what else the revision has. */
export function fitInfo({ name, version, ...others }: ServerInfo, revision: string): ServerInfo {
	const kept = omitMembers({ ...others }, revision, {
		title: "titles",
		icons: "icons",
		description: "serverPage",
		websiteUrl: "serverPage",
	});
	return { name, version, ...kept };
}

const CACHEABLE: ReadonlySet<string> = new Set([
	"tools/list",
	"prompts/list",
	"resources/list",
	"resources/templates/list",
	"resources/read",
	"server/discover",
]);

/** Adds the members that revision 2026-07-28 requires in every result, unless the handler set them. */
export function completeModernResult(method: string, given: unknown, info: ServerInfo): unknown {
	if (given instanceof WrittenResult && isStampable(method, given)) return addModernMembers(given, info);
	const result = given instanceof WrittenResult ? given.toJSON() : given;
	if (result !== undefined && !isRecord(result)) return result;
	const resultType = result?.resultType ?? "complete";
	const meta = result?._meta;
	return {
		...result,
		...(method === "tools/list" && { tools: mapEach(result?.tools, (tool) => fitTool(tool, MODERN_REVISION)) }),
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
