import { formatToolId, parseToolId, safeName } from "../catalog/toolId.ts";
import { isObject } from "../contract/json.ts";

/** Like a tool's id; long enough for every name that a person types. */
const MAX_NAME_LENGTH = 200;
const SCHEME = "metatools:";

/** The name of a server's prompt at the gateway. */
export function sharedName(namespace: string, name: string): string {
	return formatToolId(namespace, safeName(name, MAX_NAME_LENGTH));
}

/** The namespace that the name of a prompt begins with. */
export function namespaceOfName(name: string): string | undefined {
	return parseToolId(name)?.namespace;
}

/**
 * The address of a server's resource at the gateway, or the template of such addresses. The server's own follows as it is,
 * so that what fits the one template fits the other.
 */
export function sharedUri(namespace: string, uri: string): string {
	return `${SCHEME}${namespace}:${uri}`;
}

/** The server's own address, and its namespace. */
export function readSharedUri(uri: string): { readonly namespace: string; readonly own: string } | undefined {
	const [, namespace, own] = /^metatools:([^:/]+):(.+)$/s.exec(uri) ?? [];
	return namespace === undefined || own === undefined ? undefined : { namespace, own };
}

/** An answer of a server with the addresses of its resources as they are at the gateway. */
export function withSharedUris(namespace: string, answer: unknown): unknown {
	if (!isObject(answer)) return answer;
	const { contents, messages } = answer;
	return {
		...answer,
		...(Array.isArray(contents) && { contents: contents.map((content) => withUri(namespace, content)) }),
		...(Array.isArray(messages) && { messages: messages.map((message) => inMessage(namespace, message)) }),
	};
}

function inMessage(namespace: string, message: unknown): unknown {
	if (!isObject(message)) return message;
	const { content } = message;
	const inBlock = (block: unknown) => withLinks(namespace, block);
	return { ...message, content: Array.isArray(content) ? content.map(inBlock) : inBlock(content) };
}

function withLinks(namespace: string, block: unknown): unknown {
	if (!isObject(block)) return block;
	if (block.type === "resource_link") return withUri(namespace, block);
	return block.type === "resource" ? { ...block, resource: withUri(namespace, block.resource) } : block;
}

function withUri(namespace: string, item: unknown): unknown {
	return isObject(item) && typeof item.uri === "string" ? { ...item, uri: sharedUri(namespace, item.uri) } : item;
}
