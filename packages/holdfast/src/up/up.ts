import { checkProduct } from "./checkProduct.ts";
import { connected } from "./connected.ts";
import { indexRepository } from "./indexRepository.ts";
import { productConfig } from "./productConfig.ts";
import { startProduct } from "./startProduct.ts";

/** What to serve, and where. */
export type UpOptions = {
	/** The repository to search; default: the working directory. */
	readonly repository?: string;
	/** Default: 127.0.0.1; any other address needs a token. */
	readonly host?: string;
	/** Default: 0, which takes a free port. */
	readonly port?: number;
	/** Required from every caller. */
	readonly token?: string;
	/** The gateway's configuration; default: the user's own, if there is one. */
	readonly configFile?: string;
	/** Leaves out the servers that come with Holdfast. */
	readonly bare?: boolean;
	/** `false` leaves indexing to the tool `build_index`. */
	readonly index?: boolean;
	/** Aborts the start; use `close` after it. */
	readonly signal?: AbortSignal;
	readonly log?: (line: string) => void;
};

/** The product in this process. */
export type Up = {
	/** The console's address; the API is under `/api`. */
	readonly address: string;
	/** Where MCP clients connect. */
	readonly mcp: string;
	/** Lets calls in flight finish, then ends every server and its processes. */
	close(): Promise<void>;
};

/** Does what `holdfast up` does, from a program; resolves once each server is up or has failed. */
export async function up(options: UpOptions = {}): Promise<Up> {
	const { repository = process.cwd(), bare = false, signal = new AbortController().signal } = options;
	const source = {
		repository,
		bare,
		flags: { host: options.host ?? "127.0.0.1", port: String(options.port ?? 0) },
		...(options.configFile !== undefined && { configFile: options.configFile }),
	};
	checkProduct(productConfig(source), options.token); // Reports problems before the slow indexing.
	if (!bare && options.index !== false) await indexRepository(repository, signal);
	signal.throwIfAborted();
	const { address, gateway, close } = await startProduct({
		configure: () => productConfig(source),
		log: options.log ?? (() => {}),
		...(options.token !== undefined && { token: options.token }),
	});
	await connected(gateway, signal);
	return { address, mcp: `${address}/mcp`, close };
}
