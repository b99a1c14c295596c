import { Buffer } from "node:buffer";
import type { CallContext } from "./callContext.ts";
import type { Completions } from "./completion.ts";
import type { RpcContext } from "./dispatcher.ts";
import { partName, unexpected } from "./part.ts";
import type { Icon } from "./tool.ts";
import { isTemplate, uriTemplate, type VariableName, type Variables } from "./uriTemplate.ts";

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
	if (!(reply instanceof Uint8Array)) throw unexpected(`${where}: read`, "text, bytes or a list of contents", reply);
	return [{ ...about, blob: Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength).toString("base64") }];
}
