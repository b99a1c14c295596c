import { fitContent, type Members, mapEach, omitMembers } from "./fitContent.ts";
import { isRecord } from "./protocol.ts";
import { type Feature, hasFeature } from "./revisions.ts";
import { protocolError } from "./rpcErrors.ts";

/** The capabilities that a client declares, those that its revision has: it can be asked for nothing else. */
export function fitClientCapabilities(capabilities: Members, revision: string): Members {
	const { elicitation, sampling, ...others } = omitMembers(capabilities, revision, {
		elicitation: "elicitation",
		tasks: "tasks",
	});
	return {
		...others,
		...(elicitation !== undefined && { elicitation: fitElicitation(elicitation, revision) }),
		...(sampling !== undefined && {
			sampling: isRecord(sampling) ? omitMembers(sampling, revision, { tools: "samplingTools" }) : sampling,
		}),
	};
}

/** Before there were pages to open, the capability had no members and meant forms. */
function fitElicitation(declared: unknown, revision: string): unknown {
	return hasFeature(revision, "urlElicitation") ? declared : {};
}

/** The parameters of a request to the client as its revision has them; throws if it lacks the request itself. */
export function fitQuestion(revision: string, method: string, params: Members | undefined): Members | undefined {
	if (params === undefined) return undefined;
	switch (method) {
		case "elicitation/create":
			return fitElicitationParams(params, revision);
		case "sampling/createMessage":
			return fitSampling(params, revision);
		default:
			return params;
	}
}

function fitElicitationParams(params: Members, revision: string): Members {
	requireFeature(revision, "elicitation", "questions to the user");
	if (params.mode === "url") return fitPage(params, revision);
	const fit = omitMembers(params, revision, { mode: "urlElicitation", task: "tasks" });
	const { requestedSchema } = fit;
	if (hasFeature(revision, "richForms") || !isRecord(requestedSchema) || !isRecord(requestedSchema.properties))
		return fit;
	const fields = Object.entries(requestedSchema.properties);
	const properties = Object.fromEntries(fields.map(([name, field]) => [name, fitField(field, revision)]));
	const { $schema: _, ...form } = requestedSchema;
	return { ...fit, requestedSchema: { ...form, properties } };
}

/** Only the revisions with a handshake identify the question. */
function fitPage(params: Members, revision: string): Members {
	requireFeature(revision, "urlElicitation", "pages to open");
	const isNamed = "elicitationId" in params || !hasFeature(revision, "handshake");
	return isNamed ? params : { ...params, elicitationId: crypto.randomUUID() };
}

function fitField(field: unknown, revision: string): unknown {
	if (!isRecord(field)) return field;
	if (field.type === "array") requireFeature(revision, "richForms", "choices of several values");
	const { default: preset, oneOf, ...rest } = field;
	const choices = Array.isArray(oneOf) ? oneOf.filter(isRecord) : undefined;
	return {
		...rest,
		...(field.type === "boolean" && preset !== undefined && { default: preset }),
		...(choices && { enum: choices.map((one) => one.const), enumNames: choices.map((one) => one.title ?? one.const) }),
	};
}

function fitSampling(params: Members, revision: string): Members {
	if ("tools" in params) requireFeature(revision, "samplingTools", "tools in sampling");
	const fit = omitMembers(params, revision, { toolChoice: "samplingTools", task: "tasks" });
	const messages = Array.isArray(fit.messages) ? fit.messages.filter(isRecord) : undefined;
	if (messages === undefined) return fit;
	return { ...fit, messages: messages.flatMap((message) => fitSamplingMessage(message, revision)) };
}

/** Several contents of one message become as many messages. */
function fitSamplingMessage({ content, ...message }: Members, revision: string): readonly Members[] {
	const fit = (block: unknown): unknown => (isRecord(block) ? fitSampled(block, revision) : block);
	if (!Array.isArray(content)) return [{ ...message, content: fit(content) }];
	if (hasFeature(revision, "samplingTools")) return [{ ...message, content: content.map(fit) }];
	return content.map((block) => ({ ...message, content: fit(block) }));
}

/** Sampling never had files, so audio can only be named. */
function fitSampled(block: Members, revision: string): Members {
	if (block.type !== "audio" || hasFeature(revision, "audio")) return fitContent(block, revision);
	return { type: "text", text: `[audio ${String(block.mimeType)}]` };
}

/** The parameters of a notification to the client as its revision has them; undefined if it lacks the notification. */
export function fitNotification(revision: string, method: string, params: Members = {}): Members | undefined {
	switch (method) {
		case "notifications/progress":
			return omitMembers(params, revision, { message: "progressMessage" });
		case "notifications/tasks/status":
			return hasFeature(revision, "tasks") || !hasFeature(revision, "handshake") ? params : undefined;
		case "notifications/elicitation/complete":
			return hasFeature(revision, "urlElicitation") ? params : undefined;
		default:
			return params;
	}
}

/** The parameters of a request to a server as its revision has them. */
export function fitRequest(revision: string, method: string, params: Members): Members {
	switch (method) {
		case "completion/complete":
			return omitMembers(params, revision, { context: "completionContext" });
		case "tools/call":
			return hasFeature(revision, "handshake") ? omitMembers(params, revision, { task: "tasks" }) : params;
		default:
			return params;
	}
}

/** A client's answer to a server's question as the server's revision has it. */
export function fitAnswer(revision: string, method: string, answer: Members): Members {
	if (method !== "sampling/createMessage") return answer;
	const { content } = answer;
	if (!Array.isArray(content) || hasFeature(revision, "samplingTools"))
		return isRecord(content) ? { ...answer, content: fitSampled(content, revision) } : answer;
	const [only] = mapEach(content, (block) => fitSampled(block, revision)) as unknown[];
	const texts = content.flatMap((block) => (isRecord(block) && typeof block.text === "string" ? [block.text] : []));
	// One content is all that this revision takes; several texts are one.
	return { ...answer, content: texts.length > 0 ? { type: "text", text: texts.join("\n") } : only };
}

function requireFeature(revision: string, feature: Feature, what: string): void {
	if (hasFeature(revision, feature)) return;
	throw protocolError("MISSING_CAPABILITY", `the client speaks revision ${revision}, which has no ${what}`);
}
