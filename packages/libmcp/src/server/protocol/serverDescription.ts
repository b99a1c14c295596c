import type { ClientDescription, Era, Session } from "./dispatcher.ts";
import { fitCapabilities } from "./fitContent.ts";
import { isRecord, META } from "./protocol.ts";
import { MODERN_REVISION, type Revision } from "./revisions.ts";

/** The server's name and version, and other members of `serverInfo`: `title`, `icons`, `websiteUrl`. */
export type ServerInfo = { readonly name: string; readonly version: string } & Readonly<Record<string, unknown>>;

/** What a server says about itself in the handshake or the discovery answer. */
export type ServerDescription = {
	readonly info: ServerInfo;
	readonly capabilities: Readonly<Record<string, unknown>>;
	readonly instructions?: string;
};

/** For a server that proxies another: called once per handshake, and once for all clients without one. */
export type DescribeServer = (about: {
	readonly era: Era;
	readonly client: ClientDescription;
	readonly session?: Session;
}) => Promise<ServerDescription>;

export function writeInitializeResult(description: ServerDescription, revision: Revision): Record<string, unknown> {
	return {
		protocolVersion: revision,
		capabilities: description.capabilities,
		serverInfo: description.info,
		...(description.instructions === undefined ? {} : { instructions: description.instructions }),
	};
}

export function writeDiscoverResult(description: ServerDescription): Record<string, unknown> {
	return {
		supportedVersions: [MODERN_REVISION],
		capabilities: fitCapabilities({ ...description.capabilities }, MODERN_REVISION),
		...(description.instructions === undefined ? {} : { instructions: description.instructions }),
		_meta: { [META.serverInfo]: description.info },
	};
}

/** The description for a client that keeps nothing open: it could never be told of a change or of what is logged. */
export function omitStanding(description: ServerDescription): ServerDescription {
	const { logging: _, ...capabilities } = description.capabilities;
	const kept = Object.entries(capabilities).map(([name, offered]) => {
		if (!isRecord(offered)) return [name, offered];
		const { listChanged: __, subscribe: ___, ...rest } = offered;
		return [name, rest];
	});
	return { ...description, capabilities: Object.fromEntries(kept) };
}
