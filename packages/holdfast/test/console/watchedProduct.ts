import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../../../../e2e/until.ts";
import { type Browser, openBrowser, skip, WINDOW } from "./browser.ts";
import { type StartedProduct, type StartOptions, startedProduct } from "./startedProduct.ts";

export type WatchOptions = Pick<StartOptions, "withCode"> & {
	/** Waited for before the page is opened. */
	readonly tools: readonly string[];
	/** What is to have happened by then. */
	readonly prepare?: (started: StartedProduct) => Promise<void>;
};

export type WatchedProduct = {
	readonly started: StartedProduct;
	readonly browser: Browser;
	readonly page: Page;
	/** The page, loaded anew and prepared, so that no test depends on what another has left there. */
	loaded(hash: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page>;
};

/** A running product and a browser's page on it, there in every test of the file that calls this and gone after them. */
export function watchedProduct({ tools, prepare, ...options }: WatchOptions): WatchedProduct {
	let started: StartedProduct | undefined;
	let browser: Browser | undefined;
	let page: Page | undefined;
	before(async () => {
		if (skip !== false) return;
		const product = await startedProduct(options);
		started = product;
		browser = await openBrowser();
		const { catalog } = product.product.gateway;
		await until(() => tools.every((id) => catalog.get(id) !== undefined), "the tools are there");
		await prepare?.(product);
		page = await browser.open(`${product.address}/`);
	});
	after(async () => {
		await browser?.close();
		await started?.close();
	});
	return {
		get started() {
			return known(started);
		},
		get browser() {
			return known(browser);
		},
		get page() {
			return known(page);
		},
		async loaded(hash, prepare) {
			const again = known(page);
			await again.unrouteAll({ behavior: "ignoreErrors" });
			await again.setViewportSize(WINDOW);
			await prepare?.(again);
			await again.goto(`${known(started).address}/${hash}`);
			// Another view of the same document was only gone to.
			await again.reload();
			return again;
		},
	};
}

function known<Part>(part: Part | undefined): Part {
	if (part === undefined) throw new Error("asked for before the tests began");
	return part;
}
