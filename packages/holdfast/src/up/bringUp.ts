import type { BuildReport } from "pairofcleats";
import { checkProduct } from "./checkProduct.ts";
import { connected } from "./connected.ts";
import { listenProblem } from "./listenProblem.ts";
import { type ProductSource, productConfig } from "./productConfig.ts";
import { type Product, type ProductOptions, startProduct } from "./startProduct.ts";

export type BringUpOptions = Omit<ProductOptions, "configure" | "telemetryFolder"> & {
	readonly source: ProductSource;
	/** Whether the index is brought up to date first; a bare product has none. */
	readonly index: boolean;
	/** Aborts the start until the product listens; after that, only the wait for its servers. */
	readonly signal: AbortSignal;
	/** Called just before the start; without it, no telemetry is written. */
	readonly telemetryFolder?: () => string | undefined;
	/** Called when the configuration has been found usable, before the slow indexing. */
	readonly onChecked?: () => void;
	/** Called when the repository cannot be indexed; without it, the product is not started then. */
	readonly onIndexFailed?: (error: unknown) => void;
	/** Called when the product listens, before its servers are connected. */
	readonly onListening?: (product: Product) => void;
	/** Called with the servers' names if their connecting takes long. */
	readonly onWaiting?: (names: readonly string[], product: Product) => void;
};

/** The steps from a configuration to a product whose servers are each up or have failed. */
export async function bringUp(
	options: BringUpOptions,
): Promise<{ readonly product: Product; readonly indexed: BuildReport | undefined }> {
	const { source, signal } = options;
	await check(source, options.token);
	options.onChecked?.();
	const indexed = options.index && source.bare !== true ? await index(source.repository, options) : undefined;
	signal.throwIfAborted();
	const product = await startProduct({
		configure: () => productConfig(source),
		log: options.log,
		telemetryFolder: options.telemetryFolder?.(),
		...(options.token !== undefined && { token: options.token }),
	});
	options.onListening?.(product);
	await connected(product.gateway, signal, (names) => options.onWaiting?.(names, product));
	return { product, indexed };
}

async function check(source: ProductSource, token: string | undefined): Promise<void> {
	const config = productConfig(source);
	checkProduct(config, token);
	const problem = await listenProblem(config.settings.host, config.settings.port);
	if (problem !== undefined) throw problem;
}

async function index(
	repository: string,
	{ signal, onIndexFailed }: Pick<BringUpOptions, "signal" | "onIndexFailed">,
): Promise<BuildReport | undefined> {
	const { indexRepository } = await import("./indexRepository.ts");
	try {
		return await indexRepository(repository, signal);
	} catch (error) {
		if (onIndexFailed === undefined || signal.aborted) throw error;
		onIndexFailed(error);
		return undefined;
	}
}
