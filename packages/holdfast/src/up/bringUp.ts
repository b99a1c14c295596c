import type { BuildReport } from "pairofcleats";
import { checkProduct } from "./checkProduct.ts";
import { connected } from "./connected.ts";
import { listenProblem } from "./listenProblem.ts";
import { type ProductSource, productConfig } from "./productConfig.ts";
import { type Product, type ProductOptions, startProduct } from "./startProduct.ts";

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
		configure: () => productConfig(source),
		log: options.log,
		telemetryFolder: options.telemetryFolder?.(),
		...(options.token !== undefined && { token: options.token }),
		...(options.command !== undefined && { command: options.command }),
	});
	options.onListening?.(product);
	const indexing = options.index && source.bare !== true ? index(options, product) : undefined;
	// A failure is for whoever awaits it, which may be later.
	indexing?.catch(() => {});
	await connected(product.gateway, signal, (names) => options.onWaiting?.(names, product));
	return { product, indexing };
}

async function check(source: ProductSource, token: string | undefined): Promise<void> {
	const config = productConfig(source);
	checkProduct(config, token);
	const problem = await listenProblem(config.settings.host, config.settings.port);
	if (problem !== undefined) throw problem;
}

async function index({ source, signal, log }: BringUpOptions, { indexJob }: Product): Promise<BuildReport> {
	const { beginIndex } = await import("./beginIndex.ts");
	return beginIndex(source.repository, indexJob, { signal, log });
}
