import { bringUp } from "./bringUp.ts";

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

/** Does what `holdfast up` does, from a program; resolves once each server is up or has failed and the index is built. */
export async function up(options: UpOptions = {}): Promise<Up> {
	const { product, indexing } = await bringUp({
		source: {
			repository: options.repository ?? process.cwd(),
			bare: options.bare ?? false,
			flags: { host: options.host ?? "127.0.0.1", port: String(options.port ?? 0) },
			...(options.configFile !== undefined && { configFile: options.configFile }),
		},
		index: options.index ?? true,
		signal: options.signal ?? new AbortController().signal,
		log: options.log ?? (() => {}),
		...(options.token !== undefined && { token: options.token }),
	});
	try {
		await indexing;
	} catch (error) {
		await product.close();
		throw error;
	}
	const { address, close } = product;
	return { address, mcp: `${address}/mcp`, close };
}
