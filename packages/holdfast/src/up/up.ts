import { setTimeout as delay } from "node:timers/promises";
import type { Gateway } from "metatools";
import type { BuildReport } from "pairofcleats";
import { findListenProblem } from "./listening.ts";
import { checkProduct } from "./lock.ts";
import { loadProductConfig, type ProductSource } from "./productConfig.ts";
import { type Product, type ProductOptions, startProduct } from "./startProduct.ts";

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

export type BringUpOptions = Omit<ProductOptions, "configure" | "telemetryFolder"> & {
	readonly source: ProductSource;
	/** Whether the index is brought up to date; a bare product has none. */
	readonly index: boolean;
	/** Aborts the start until the product listens; after that, the wait for its servers and the indexing. */
	readonly signal: AbortSignal;
	/** Called just before the start; without it, no telemetry is written. */
	readonly telemetryFolder?: () => string | undefined;
	/** Called when the configuration has been found usable. */
	readonly onChecked?: () => void;
	/** Called when the product listens, before its servers are connected. */
	readonly onListening?: (product: Product) => void;
	/** Called with the servers' names if their connecting takes long. */
	readonly onWaiting?: (names: readonly string[], product: Product) => void;
};

export type BroughtUp = {
	readonly product: Product;
	/** Settles with the index, which is built while the product serves; rejects if it cannot be. */
	readonly indexing: Promise<BuildReport> | undefined;
};

/** The steps from a configuration to a product whose servers are each up or have failed. */
export async function bringUp(options: BringUpOptions): Promise<BroughtUp> {
	const { source, signal } = options;
	await check(source, options.token);
	options.onChecked?.();
	signal.throwIfAborted();
	const product = await startProduct({
		configure: () => loadProductConfig(source),
		log: options.log,
		telemetryFolder: options.telemetryFolder?.(),
		...(options.token !== undefined && { token: options.token }),
		...(options.command !== undefined && { command: options.command }),
	});
	options.onListening?.(product);
	const indexing = options.index && source.bare !== true ? index(options, product) : undefined;
	// A failure is for whoever awaits it, which may be later.
	indexing?.catch(() => {});
	await waitForServers(product.gateway, signal, (names) => options.onWaiting?.(names, product));
	return { product, indexing };
}

async function check(source: ProductSource, token: string | undefined): Promise<void> {
	const config = loadProductConfig(source);
	checkProduct(config, token);
	const problem = await findListenProblem(config.settings.host, config.settings.port);
	if (problem !== undefined) throw problem;
}

async function index({ source, signal, log }: BringUpOptions, { indexJob }: Product): Promise<BuildReport> {
	const { beginIndex } = await import("./indexing.ts");
	return beginIndex(source.repository, indexJob, { signal, log });
}

const CONNECT_MS = 15_000;
/** After this long without output, say what is still being waited for. */
const SILENT_MS = 2_000;

/** Waits for a limited time until each server is up or has failed; `tell` gets the names if that takes long. */
export async function waitForServers(
	{ upstreams }: Pick<Gateway, "upstreams">,
	signal: AbortSignal,
	tell: (waitedFor: readonly string[]) => void = () => {},
): Promise<void> {
	const began = performance.now();
	const waited = (): number => performance.now() - began;
	const connecting = (): string[] =>
		upstreams.all.filter(({ state }) => state.kind === "connecting").map(({ spec }) => spec.name);
	let isTold = false;
	while (!signal.aborted && waited() < CONNECT_MS && connecting().length > 0) {
		if (!isTold && waited() > SILENT_MS) {
			isTold = true;
			tell(connecting());
		}
		await delay(50);
	}
}
