import { Buffer } from "node:buffer";
import type { RpcContext } from "../protocol/dispatcher.ts";
import type { CallContext } from "./callContext.ts";
import type { Completions } from "./completion.ts";
import { createUnexpectedError, partName } from "./part.ts";
import type { Icon } from "./tool.ts";

/** One resource, or a family of them if its URI has variables: its listing, and how to read it. */
export type ResourceDefinition<Uri extends string> = ResourceDescription & {
	/**
	 * `orders://book`, or a template: `orders://{customer}/{key}`. `{name}` matches anything but a slash, `{+name}` also
	 * slashes. Values arrive decoded, so either may contain a slash sent as `%2F`: check a value before using it in a
	 * path.
	 */
	readonly uri: Uri;
	/** Lists the members of a family; none by default. */
	readonly list?: (context: RpcContext) => readonly ListedResource[] | Promise<readonly ListedResource[]>;
	/** Suggestions while a variable is being typed. */
	readonly complete?: Completions<VariableName<Uri>>;
	/** Return undefined for a resource that does not exist; the client then gets a "not found" error. */
	readonly read: (
		variables: Variables<Uri>,
		context: CallContext,
	) => ResourceReply | undefined | Promise<ResourceReply | undefined>;
};

/** How a resource is listed. */
export type ResourceDescription = {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly mimeType?: string;
	readonly size?: number;
	readonly icons?: readonly Icon[];
	readonly annotations?: {
		readonly audience?: readonly ("user" | "assistant")[];
		readonly priority?: number;
		readonly lastModified?: string;
	};
};

export type ListedResource = ResourceDescription & { readonly uri: string };

/** Text or bytes of the resource's `mimeType`, or a list of contents. */
export type ResourceReply = string | Uint8Array | readonly ResourceContents[];

export type ResourceContents = { readonly uri: string; readonly mimeType?: string } & (
	| { readonly text: string }
	| { readonly blob: string }
);

/** A resource as `mcpServer` serves it. */
export type Resource = {
	/** Its own URI or template. */
	readonly uri: string;
	/** Its entry in `resources/list`, or in `resources/templates/list`. */
	readonly listed: Readonly<Record<string, unknown>>;
	readonly isTemplate: boolean;
	readonly list: (context: RpcContext) => Promise<readonly ListedResource[]>;
	readonly complete: Completions<string>;
	/** Returns a function that reads the URI; undefined when the URI is not this resource's. */
	readonly reader: (
		uri: string,
	) => ((context: CallContext) => Promise<Record<string, unknown> | undefined>) | undefined;
};

/** Throws a TypeError when the URI or template is invalid, the name is not text or `read` is not a function. */
export function resource<const Uri extends string>(definition: ResourceDefinition<Uri>): Resource {
	const { uri, list, complete, read, ...shown } = definition;
	const where = partName("resource", shown.name, { read });
	const template = isTemplate(uri);
	const match = template ? uriTemplate(uri) : exactly(uri);
	return {
		uri,
		listed: { ...(template ? { uriTemplate: uri } : { uri }), ...shown },
		isTemplate: template,
		list: async (context) => list?.(context) ?? [],
		complete: { ...complete },
		reader: (asked) => {
			const variables = match(asked);
			if (variables === undefined) return undefined;
			return async (context) => {
				// `Variables<Uri>` has exactly the names that the template matched.
				const reply = await read(variables as Variables<Uri>, context);
				return reply === undefined ? undefined : { contents: contentsOf(reply, asked, shown.mimeType, where) };
			};
		},
	};
}

function exactly(uri: string): (asked: string) => Record<string, string> | undefined {
	if (!URL.canParse(uri)) throw new TypeError(`uri: expected a URI, got ${JSON.stringify(uri)}`);
	return (asked) => (asked === uri ? {} : undefined);
}

function contentsOf(
	reply: ResourceReply,
	uri: string,
	mimeType: string | undefined,
	where: string,
): readonly unknown[] {
	const about = { uri, ...(mimeType !== undefined && { mimeType }) };
	if (typeof reply === "string") return [{ ...about, text: reply }];
	if (Array.isArray(reply)) return reply;
	if (!(reply instanceof Uint8Array))
		throw createUnexpectedError(`${where}: read`, "text, bytes or a list of contents", reply);
	return [{ ...about, blob: Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength).toString("base64") }];
}

/** The variables of a URI template, each a string; any names when the template is known only at run time. */
export type Variables<Template extends string> = string extends Template
	? Readonly<Record<string, string>>
	: { readonly [Name in VariableName<Template>]: string };

type VariableName<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
	? (Name extends `+${infer Plain}` ? Plain : Name) | VariableName<Rest>
	: never;

type Piece = { readonly name: string; readonly takesSlashes: boolean; readonly after: string };

/** Matches URIs against a template: `{name}` matches anything but a slash, `{+name}` also slashes (RFC 6570). */
function uriTemplate(template: string): (uri: string) => Record<string, string> | undefined {
	if (!WELL_FORMED.test(template))
		throw new TypeError(`uri: expected variables as {name} or {+name}, got ${JSON.stringify(template)}`);
	const head = template.slice(0, template.indexOf("{"));
	const pieces = Array.from(template.matchAll(VARIABLE), ([, plus, name = "", after = ""]) => ({
		name,
		takesSlashes: plus === "+",
		after,
	}));
	return (uri) => (uri.startsWith(head) ? match(uri.slice(head.length), pieces) : undefined);
}

/** URIs contain no braces, so a text with a brace is a template. */
function isTemplate(uri: string): boolean {
	return /[{}]/.test(uri);
}

const WELL_FORMED = /^[^{}]*(?:\{\+?[A-Za-z_]\w*\}[^{}]*)+$/;
const VARIABLE = /\{(\+?)(\w+)\}([^{}]*)/g;

/** Each variable ends at the first match of the text after it, so matching is linear in the URI for each variable. */
function match(uri: string, pieces: readonly Piece[]): Record<string, string> | undefined {
	const found: Record<string, string> = {};
	let rest = uri;
	for (const [index, { name, takesSlashes, after }] of pieces.entries()) {
		const isLast = index === pieces.length - 1;
		// The last variable matches everything up to the template's fixed ending.
		const end = isLast ? rest.length - after.length : rest.indexOf(after, 1);
		if (end < 1 || !rest.startsWith(after, end)) return undefined;
		const value = decodeValue(rest.slice(0, end));
		if (value === undefined || (!takesSlashes && rest.slice(0, end).includes("/"))) return undefined;
		found[name] = value;
		rest = rest.slice(end + after.length);
	}
	return rest === "" ? found : undefined;
}

function decodeValue(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
