import type { ClientDescription } from "libmcp";
import type { ToolDefinition } from "../catalog/tool.ts";
import { listTools } from "../upstream/listTools.ts";
import { createClaim } from "./links/claim.ts";
import type { Link } from "./links/link.ts";
import { OURSELVES, type SharedLink } from "./links/sharedLink.ts";

/** A server that fails to list its tools is not asked again with every call. */
const RETRY_MS = 1_000;

/** The input schemas of a server's tools, fetched once, and again after the list changed. */
export class ToolSchemas {
	readonly #shared: SharedLink;
	#known: Promise<ReadonlyMap<string, unknown>> | undefined;

	constructor(shared: SharedLink) {
		this.#shared = shared;
	}

	async of(tool: string): Promise<unknown> {
		this.#known ??= this.#list().catch(() => {
			setTimeout(() => this.forget(), RETRY_MS).unref();
			return new Map();
		});
		return (await this.#known).get(tool);
	}

	forget(): void {
		this.#known = undefined;
	}

	async #list(): Promise<ReadonlyMap<string, unknown>> {
		const definitions = await readDefinitions(await this.#shared.get(), OURSELVES);
		return new Map(definitions.map((definition) => [definition.name, definition.inputSchema]));
	}
}

/** The tools that the server offers over this link. */
export async function readDefinitions(
	link: Link,
	client: ClientDescription,
	signal?: AbortSignal,
): Promise<readonly ToolDefinition[]> {
	const meta = link.era === "modern" ? { _meta: createClaim(client) } : {};
	const { definitions } = await listTools((cursor) =>
		link.request("tools/list", { ...(cursor !== undefined && { cursor }), ...meta }, signal),
	);
	return definitions;
}
