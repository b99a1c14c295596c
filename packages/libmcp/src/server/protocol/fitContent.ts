import { isRecord } from "./protocol.ts";
import { type Feature, hasFeature } from "./revisions.ts";

/** A value of the protocol, by the names of its members. */
export type Members = Record<string, unknown>;

/** A copy without those members that the revision lacks; the object itself if it has none of them. */
export function omitMembers(object: Members, revision: string, members: Readonly<Record<string, Feature>>): Members {
	const lacking = Object.keys(members).filter((name) => name in object && lacks(revision, members[name]));
	if (lacking.length === 0) return object;
	return Object.fromEntries(Object.entries(object).filter(([name]) => !lacking.includes(name)));
}

function lacks(revision: string, feature: Feature | undefined): boolean {
	return feature !== undefined && !hasFeature(revision, feature);
}

/** The items of a list, each as the revision has it; anything else as it is. */
export function mapEach(list: unknown, fit: (item: Members) => unknown): unknown {
	return Array.isArray(list) ? list.map((item: unknown) => (isRecord(item) ? fit(item) : item)) : list;
}

/** A content block as the revision has it: audio becomes a file, and a link to a resource becomes text. */
export function fitContent(block: Members, revision: string): Members {
	const { annotations, ...rest } = block;
	const dated = isRecord(annotations) && "lastModified" in annotations;
	const fit = dated
		? { ...rest, annotations: omitMembers(annotations, revision, { lastModified: "lastModified" }) }
		: block;
	switch (block.type) {
		case "audio":
			return hasFeature(revision, "audio") ? fit : fileOf(fit);
		case "resource_link":
			return hasFeature(revision, "resourceLinks")
				? omitMembers(fit, revision, { icons: "icons" })
				: { type: "text", text: linkText(block) };
		default:
			return fit;
	}
}

function fileOf({ data, mimeType, annotations }: Members): Members {
	const resource = { uri: "attachment:audio", mimeType, blob: data };
	return { type: "resource", resource, ...(annotations !== undefined && { annotations }) };
}

/** What a model needs to name or read the resource. */
function linkText({ title, name, uri, mimeType, description }: Members): string {
	const kind = typeof mimeType === "string" ? ` (${mimeType})` : "";
	const about = typeof description === "string" ? `: ${description}` : "";
	return `${String(title ?? name ?? "resource")}${kind} <${String(uri)}>${about}`;
}

/** A server's capabilities, those that the revision has. */
export function fitCapabilities(capabilities: Members, revision: string): Members {
	return omitMembers(capabilities, revision, { completions: "completionsCapability", tasks: "tasks" });
}
