import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { type Browser, openBrowser, skip } from "./browser.ts";
import { type StartedProduct, startedProduct } from "./startedProduct.ts";

const COUNT = 3_000;
const SERVER = fileURLToPath(new URL("./manyTools.ts", import.meta.url));
const changedFile = join(tmpdir(), `holdfast-many-${process.pid}`);
let started: StartedProduct;
let browser: Browser | undefined;

before(async () => {
	const server = (...args: string[]) => ({
		command: process.execPath,
		args: ["--disable-warning=ExperimentalWarning", SERVER, ...args],
	});
	const mcpServers = { many: server(String(COUNT), changedFile), "שרת קבצים": server("2"), q: server("1") };
	started = await startedProduct({ sections: { mcpServers } });
	if (skip === false) browser = await openBrowser();
	await until(() => started.product.gateway.catalog.get("many:t02999") !== undefined, "the tools are there");
});
after(async () => {
	await browser?.close();
	await started.close();
});

test("the catalogue comes in pages of bounded size that together have every tool once", async () => {
	const ids: string[] = [];
	for (let offset = 0; ; offset += 1_000) {
		const { tools, total } = await get(`/api/tools?namespace=many&offset=${offset}&limit=1000`);
		assert.equal(total, COUNT);
		if (tools.length === 0) break;
		ids.push(...tools.map(({ id }: { id: string }) => id));
	}
	assert.equal(ids.length, COUNT);
	assert.equal(new Set(ids).size, COUNT);
	const unasked = await fetch(`${started.address}/api/tools`);
	const text = await unasked.text();
	assert.equal(JSON.parse(text).tools.length, 200);
	assert.ok(text.length < 100_000, `${text.length} characters`);
	assert.deepEqual(
		(await get("/api/tools?id=t0142&limit=3")).tools.map(({ id }: { id: string }) => id),
		["many:t01420", "many:t01421", "many:t01422"],
	);
});

test("a tool's name stands right behind its server's, however short that is", { skip }, async () => {
	const page = await browser?.open(`${started.address}/#/tools?ns=q`);
	await page?.locator(".tool-id .muted").waitFor();
	const empty = await page?.evaluate(`{
		const server = document.querySelector(".tool-id .muted");
		const text = document.createRange();
		text.selectNodeContents(server);
		server.getBoundingClientRect().width - text.getBoundingClientRect().width;
	}`);
	assert.ok(Number(empty) < 1, `${empty} pixels are empty`);
	await page?.close();
});

test("types for code are those of the first tools, or of what is looked for", async () => {
	const first = await get("/api/code/types");
	assert.equal(first.declared, 100);
	assert.ok(first.total >= COUNT);
	assert.ok(first.declarations.length < 100_000, `${first.declarations.length} characters`);
	const found = await get("/api/code/types?q=screw+1711&limit=1");
	assert.match(found.declarations, /t01711\(args\?: \{ turns\?: number \}\)/);
	assert.deepEqual(found.namespaces, ["_280df9", "local", "many", "q"]);
});

test("of thousands of tools those in sight are loaded and exist, wherever one goes", { skip }, async () => {
	const page = await opened();
	const asked: string[] = [];
	page.on("request", (request) => void asked.push(request.url()));
	await page.goto(`${started.address}/#/tools?ns=many`);
	await page.getByText("3,000 tools").waitFor();
	assert.ok((await page.locator(".tool-row").count()) < 60);
	await page.locator(".tool-row").first().focus();
	// Slower than any key, so that the keys come while rows are still to be loaded.
	await page.route("**/api/tools?*", (route) => setTimeout(() => void route.continue(), 1_000));
	for (let press = 0; press < 30; press++) await page.keyboard.press("PageDown");
	await page.locator(".tool-row:focus", { hasText: "t00300" }).waitFor();
	await page.unroute("**/api/tools?*");
	await page.evaluate("document.querySelector('.virtual').scrollTop = 1e9");
	await page.getByText("t02999", { exact: true }).waitFor();
	assert.ok(asked.filter((url) => url.includes("/api/tools?")).length < 6, asked.join("\n"));
	await page.close();
});

test("a server whose name cannot be a namespace is called by it all the same", { skip }, async () => {
	const page = await opened();
	await page.goto(`${started.address}/#/tools?ns=_280df9`);
	await page.getByRole("button", { name: "Remove filter שרת קבצים" }).waitFor();
	assert.match((await page.locator(".tool-row").first().textContent()) ?? "", /^שרת קבצים:t00000/);
	await page.close();
});

test("of thousands of tools that wait for approval some are shown, with how many more there are", {
	skip,
}, async (t) => {
	await get("/api/tools");
	writeFileSync(changedFile, "");
	t.after(() => rmSync(changedFile));
	started.product.gateway.upstreams.all[0]?.refresh();
	await until(async () => (await get("/api/approvals?limit=1")).total === COUNT, "they wait");
	const page = await opened();
	await page.goto(`${started.address}/#/approvals`);
	await page.getByText("2,950 more are waiting.").waitFor();
	assert.equal(await page.locator("article").count(), 50);
	assert.equal(await page.getByTitle("3,000 waiting for approval").textContent(), "3,000 waiting for approval");
	await page.close();
});

async function opened() {
	assert.ok(browser);
	return browser.open("about:blank");
}

async function get(path: string) {
	const answer = await fetch(`${started.address}${path}`);
	assert.equal(answer.status, 200, path);
	return JSON.parse(await answer.text());
}
