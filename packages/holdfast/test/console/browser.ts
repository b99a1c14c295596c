import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContext, chromium, type Page } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	// All pages are of one site; each process more takes as long to start as a page to load.
	"--renderer-process-limit=1",
];

/** Why these tests cannot run here, if they cannot. */
export const skip: string | false = existsSync(CHROMIUM) ? false : `there is no browser at ${CHROMIUM}`;
export const SHOTS = fileURLToPath(new URL("../../../../.cache/screenshots/", import.meta.url));

export const WINDOW = { width: 1440, height: 900 } as const;

export type Browser = {
	readonly context: BrowserContext;
	/** Everything the page complained of, refused scripts included. */
	readonly complaints: string[];
	open(address: string): Promise<Page>;
	close(): Promise<void>;
};

export async function openBrowser(): Promise<Browser> {
	const profile = mkdtempSync(join(tmpdir(), "holdfast-chromium-"));
	mkdirSync(SHOTS, { recursive: true });
	const context = await chromium.launchPersistentContext(profile, {
		executablePath: CHROMIUM,
		headless: true,
		args: FLAGS,
		viewport: WINDOW,
		colorScheme: "light",
		bypassCSP: false,
		permissions: ["clipboard-read", "clipboard-write"],
	});
	context.setDefaultTimeout(60_000);
	const complaints: string[] = [];
	// The tab that it starts with serves as the first page.
	let first = context.pages().at(0);
	return {
		context,
		complaints,
		async open(address) {
			const page = first ?? (await context.newPage());
			first = undefined;
			page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
			page.on("console", (message) => {
				if (message.type() === "error" && !/Failed to load resource|net::ERR/.test(message.text()))
					complaints.push(message.text());
			});
			page.on("dialog", (dialog) => {
				complaints.push(`dialog: ${dialog.message()}`);
				void dialog.dismiss();
			});
			await page.goto(address);
			return page;
		},
		async close() {
			await context.close();
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** What axe finds wrong with the page as it is, in short, by all of its rules or some. */
export async function accessibilityProblems(
	page: Page,
	rules: readonly string[] | "all" = "all",
): Promise<readonly string[]> {
	if ((await page.evaluate("window.axe === undefined")) === true) {
		const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
		// Evaluated by the debugger, which the page's own policy does not concern.
		await page.evaluate(axe);
	}
	const options = { resultTypes: ["violations"], ...(rules !== "all" && { runOnly: rules }) };
	const found: unknown = await page.evaluate(
		`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).slice(0, 3).join(' | ')))`,
	);
	return Array.isArray(found) ? found.map(String) : [String(found)];
}

/** Placeholders fainter than text may be (WCAG 1.4.3) and edges of fields than parts may be (1.4.11): axe looks at neither. */
export async function faintFields(page: Page): Promise<readonly string[]> {
	const found: unknown = await page.evaluate(`(() => {
		const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		const light = (color) => {
			canvas.fillStyle = color;
			canvas.fillRect(0, 0, 1, 1);
			const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
			return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
		};
		const contrast = (one, other) => {
			const [a, b] = [light(one), light(other)];
			return Math.max(a, b) / Math.min(a, b);
		};
		const behind = (element) => {
			const color = getComputedStyle(element).backgroundColor;
			return color === "rgba(0, 0, 0, 0)" ? behind(element.parentElement) : color;
		};
		return [...document.querySelectorAll("input, select, textarea")].flatMap((field) => {
			const { backgroundColor, borderTopColor } = getComputedStyle(field);
			const placeholder = contrast(getComputedStyle(field, "::placeholder").color, backgroundColor);
			const edge = contrast(borderTopColor, behind(field.parentElement));
			const name = field.placeholder || field.ariaLabel || field.name;
			return [
				...(field.placeholder && placeholder < 4.5 ? [name + ": placeholder " + placeholder.toFixed(1)] : []),
				...(edge < 3 ? [name + ": edge " + edge.toFixed(1)] : []),
			];
		});
	})()`);
	return Array.isArray(found) ? found.map(String) : [String(found)];
}

/** How far the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
	return Number(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"));
}
