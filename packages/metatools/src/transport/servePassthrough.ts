import { createPassthrough, type PassthroughOptions } from "../passthrough/passthrough.ts";
import { openTransport } from "../upstream/transport.ts";
import { openSite, type SiteOptions } from "./site.ts";
import { MCP_PATH } from "./streamable.ts";

export type ServedPassthrough = {
	/** Where clients reach it. */
	readonly address: string;
	readonly closed: Promise<void>;
	close(): Promise<void>;
};

/** Puts one server on an address, under a host, for clients of both eras. */
export async function servePassthrough(
	options: Omit<PassthroughOptions, "open"> & Partial<Pick<PassthroughOptions, "open">>,
	site: SiteOptions,
): Promise<ServedPassthrough> {
	const through = createPassthrough({ open: openTransport, ...options });
	const opened = await openSite(
		site,
		(path) => (path === MCP_PATH ? through.endpoint : undefined),
		() => [through.endpoint],
	);
	const closed = opened.closed.then(() => through.close());
	return {
		address: `${opened.listener.address}${MCP_PATH}`,
		closed,
		close: async () => {
			await opened.close();
			await closed;
		},
	};
}
