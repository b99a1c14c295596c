import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { until } from "../../../../e2e/until.ts";
import { SHOTS, skip } from "./browser.ts";
import { type StartedProduct, startedProduct } from "./startedProduct.ts";
import { watchedProduct } from "./watchedProduct.ts";

const FILTER_OF_MAIN = "getComputedStyle(document.querySelector('main')).filter";
const watched = watchedProduct({ tools: ["hostile:greet"] });
let locked: StartedProduct;

before(async () => {
	if (skip !== false) return;
	const keys = { alice: { key: "alices-key-of-twenty" } };
	locked = await startedProduct({ token: "open-sesame-again", sections: { auth: { keys } } });
});
after(() => locked?.close());

test("a worker killed while somebody watches is seen to fail and to come back, without a reload", {
	skip,
}, async () => {
	await watched.page.evaluate("window.sameDocument = true");
	const card = watched.page.locator('[data-server="hostile"]');
	process.kill(workerPid(), "SIGKILL");
	await card.getByRole("link", { name: "process.worker_killed" }).waitFor();
	await until(async () => {
		const [generation] = await card.locator("dd").allTextContents();
		return generation === "2" && (await card.locator(".badge").textContent()) === "ready";
	}, "the next generation is ready");
	await watched.page.locator(".lately .badge", { hasText: "restart" }).waitFor();
	assert.equal(await watched.page.evaluate("window.sameDocument"), true);
});

test("a server that goes away is said, and the page recovers by itself when it is back", { skip }, async () => {
	// What is still shown has lost the colours of what is known now.
	const says = "document.querySelector('.connection').textContent === 'disconnected, trying again'";
	await watched.started.restart("same token", async () => {
		await watched.page.waitForFunction(`${says} && ${FILTER_OF_MAIN} === "grayscale(1)"`);
		await watched.page.screenshot({ path: `${SHOTS}away-1440-light.png` });
	});
	await watched.page.locator(".connection.open").waitFor();
	assert.equal(await watched.page.evaluate(FILTER_OF_MAIN), "none");
	await watched.page.locator('[data-server="hostile"] .badge.good').waitFor();
	await until(async () => {
		const [generation] = await watched.page.locator('[data-server="hostile"] dd').allTextContents();
		return generation === "1";
	}, "the new state is shown");
	assert.equal(await watched.page.evaluate("window.sameDocument"), true);
});

test("where there is no code search the page says so and offers no rebuild", { skip }, async () => {
	const page = await watched.loaded("#/code");
	await page.locator(".empty", { hasText: "There is no code to search" }).waitFor();
	await page.getByText("code search is not connected; it comes with holdfast up unless --bare is given.").waitFor();
	assert.equal(await page.getByRole("button", { name: /uild/ }).count(), 0);
});

test("calls that end all the time do not keep the page from showing anything", { skip }, async () => {
	const { runner } = watched.started.product.gateway;
	const request = { viewer: { id: "local" }, signal: new AbortController().signal };
	let isOver = false;
	const calling = (async () => {
		while (!isOver) {
			await runner.run({ toolId: "hostile:greet", args: { name: "Ada" }, ...request });
			await delay(20);
		}
	})();
	try {
		const page = await watched.loaded("#/servers", (prepared) =>
			// An answer that takes longer than the next change needs to come.
			prepared.route("**/api/servers", async (route) => {
				await delay(600);
				await route.continue().catch(() => {});
			}),
		);
		await page.locator('[data-server="hostile"]').waitFor();
	} finally {
		isOver = true;
		await calling;
	}
});

test("ten thousand timeline entries are reached to the last while only those in sight exist", { skip }, async (t) => {
	for (let entry = 0; entry < 10_000; entry++)
		watched.started.product.recorder.timeline.add({
			kind: "fault",
			server: "hostile",
			level: "bad",
			summary: `number ${entry}`,
			record: {},
		});
	await watched.loaded("#/timeline?text=number");
	await watched.page.getByText("10,000 entries").waitFor();
	// What has become known of an old entry does not bring it to the top.
	const { recorder } = watched.started.product;
	for (const text of ["number 17", "number 9999"]) {
		const id = recorder.timeline.page({ text, limit: 10_000 }).entries.at(-1)?.id ?? 0;
		const extended = recorder.timeline.extend(id, { times: 2, lastAt: Date.now() });
		if (extended !== undefined) recorder.emit("entry", extended);
	}
	await watched.page.locator(".row", { hasText: "2 times, last just now · number 9999" }).waitFor();
	assert.match((await watched.page.locator(".virtual .row").first().textContent()) ?? "", /number 9999/);
	await watched.page.getByText("10,000 entries").waitFor();
	const list = watched.page.locator(".virtual");
	await until(async () => {
		await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
		return watched.page
			.getByText("number 0", { exact: true })
			.or(watched.page.locator(".row", { hasText: /number 0$/ }))
			.isVisible();
	}, "the first entry is reached");
	assert.ok((await watched.page.locator(".virtual .row").count()) < 80);
	assert.equal(await watched.page.locator(".virtual li").nth(1).getAttribute("aria-setsize"), "10000");
	// However far it is scrolled, nothing is built that is not seen.
	const longest = Number(
		await watched.page.evaluate(`(async () => {
			const list = document.querySelector(".virtual");
			const step = list.scrollHeight / 20;
			let most = 0;
			for (let top = 0; top < list.scrollHeight; top += step) {
				const before = performance.now();
				list.scrollTo(0, top);
				await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
				most = Math.max(most, performance.now() - before);
			}
			return most;
		})()`),
	);
	t.diagnostic(`the slowest of 20 steps through all of them took ${Math.round(longest)} ms`);
	assert.ok((await watched.page.locator(".virtual .row").count()) < 80);
});

test("entries that come in above move nothing in sight, and the Tab key leaves the list after one stop", {
	skip,
}, async () => {
	const { recorder } = watched.started.product;
	const tell = (summary: string) =>
		recorder.tell({ kind: "fault", server: "hostile", level: "bad", summary, record: {} });
	for (let count = 0; count < 200; count++) tell(`older ${count}.`);
	const page = await watched.loaded("#/timeline?server=hostile&kinds=fault");
	await page.getByText("older 199.").waitFor();
	await page.evaluate("document.querySelector('.virtual').scrollTop = 1000");
	const row = page.locator(".row", { hasText: "older 170." });
	await row.waitFor();
	const before = (await row.boundingBox())?.y;
	for (let count = 0; count < 3; count++) tell(`newer ${count}.`);
	await until(
		async () => Number(await page.evaluate("document.querySelector('.virtual').scrollTop")) > 1000,
		"they are in the list",
	);
	assert.equal((await row.boundingBox())?.y, before);
	await row.focus();
	await page.keyboard.press("ArrowDown");
	await page.locator(".row:focus", { hasText: "older 169." }).waitFor();
	await page.keyboard.press("Enter");
	await page.getByRole("region", { name: "Record" }).waitFor();
	await page.keyboard.press("Tab");
	assert.equal(await page.evaluate("document.activeElement.textContent"), "← All entries");
	await page.keyboard.press("Shift+Tab");
	await page.locator(".row:focus", { hasText: "older 169." }).waitFor();
	await page.keyboard.press("Home");
	await page.locator(".row:focus", { hasText: "newer 2." }).waitFor();
	await page.keyboard.press("End");
	await until(async () => (await page.locator(".row:focus").count()) === 1, "the last is focused");
	assert.doesNotMatch((await page.locator(".row:focus").textContent()) ?? "", /newer/);
});

test("a list begins where the record is in sight that its address names, and Tab stops there", { skip }, async () => {
	const { recorder } = watched.started.product;
	for (let count = 0; count < 300; count++)
		recorder.tell({ kind: "replay", server: "hostile", level: "warn", summary: `step ${count}.`, record: {} });
	const id = recorder.timeline.page({ text: "step 100.", limit: 1 }).entries[0]?.id;
	const page = await watched.loaded(`#/timeline/${id}`);
	const row = page.locator(".virtual .row", { hasText: "step 100." });
	await until(async () => {
		const [list, box] = [await page.locator(".virtual").boundingBox(), await row.boundingBox()];
		return list !== null && box !== null && box.y >= list.y && box.y + box.height <= list.y + list.height;
	}, "it is in sight");
	await page.getByRole("combobox", { name: "Server" }).focus();
	await page.keyboard.press("Tab");
	await page.locator(".row:focus", { hasText: "step 100." }).waitFor();
});

test("what happens while the timeline is on its way is not lost when it arrives", { skip }, async () => {
	const { recorder } = watched.started.product;
	const page = await watched.browser.open("about:blank");
	const answered = Promise.withResolvers<void>();
	const arrives = Promise.withResolvers<void>();
	await page.route("**/api/timeline?*", async (route) => {
		const response = await route.fetch();
		answered.resolve();
		await arrives.promise;
		await route.fulfill({ response });
	});
	const tell = (summary: string) =>
		recorder.tell({ kind: "fault", server: "hostile", level: "bad", summary, record: {} });
	tell("there before, meanwhile");
	await page.goto(`${watched.started.address}/#/timeline?text=meanwhile`);
	await answered.promise;
	tell("came meanwhile");
	await page.getByText("came meanwhile").waitFor();
	arrives.resolve();
	await page.getByText("there before, meanwhile").waitFor();
	assert.equal(await page.getByText("came meanwhile").count(), 1);
	await page.getByText("2 entries", { exact: true }).waitFor();
	await page.close();
});

test("everything is asked for once, with a stream of events that comes late or never", { skip }, async () => {
	const page = await watched.browser.open("about:blank");
	let asked: string[] = [];
	page.on("request", (request) => void asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
	const once = async (): Promise<void> => {
		await page.locator(".virtual .row").first().waitFor();
		await delay(500);
		for (const path of ["/api/timeline?limit=500", "/api/approvals?limit=1"])
			assert.equal(asked.filter((one) => one === path).length, 1, asked.join("\n"));
	};
	// The page's clock is slowed down, lest a busy machine be taken for a stream that never comes.
	await page.addInitScript(`{
		const wait = setTimeout;
		window.setTimeout = (action, ms, ...given) => wait(action, ms * 4, ...given);
	}`);
	await page.route("**/api/events", async (route) => {
		await delay(4 * 300);
		await route.continue();
	});
	await page.goto(`${watched.started.address}/#/timeline`);
	await page.locator(".connection.open").waitFor();
	await once();
	await page.unroute("**/api/events");
	await page.route("**/api/events", () => {});
	asked = [];
	await page.reload();
	await once();
	assert.equal(await page.locator(".connection.connecting").count(), 1);
	await page.close();
});

test("a page that stays open through a day of events does not grow", { skip }, async () => {
	await watched.loaded("#/timeline");
	await watched.page.locator(".virtual .row").first().waitFor();
	const burst = async (count: number): Promise<number> => {
		for (let entry = 0; entry < count; entry++) {
			watched.started.product.recorder.tell({
				kind: "restart",
				server: "hostile",
				level: "warn",
				summary: `later ${count} ${entry}`,
				record: {},
			});
			if (entry % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		}
		await watched.page.locator(".virtual .row", { hasText: `later ${count} ${count - 1}` }).waitFor();
		const session = await watched.page.context().newCDPSession(watched.page);
		await session.send("HeapProfiler.collectGarbage");
		const { usedSize } = await session.send("Runtime.getHeapUsage");
		const { nodes } = await session.send("Memory.getDOMCounters");
		assert.ok(nodes < 5_000, `${nodes} nodes`);
		await session.detach();
		return usedSize;
	};
	// Past as many as are kept, more of them take the place of others.
	await burst(10_500);
	const settled = await burst(1_501);
	const later = await burst(3_001);
	assert.ok(later < settled * 1.15 + 1_000_000, `${settled} bytes, then ${later}`);
});

test("where a token is asked for, the page asks for it, and shows everything once it has it", {
	skip,
}, async () => {
	const other = await watched.browser.open(`${locked.address}/`);
	await other.getByRole("heading", { name: "This server asks for a token" }).waitFor();
	await other.screenshot({ path: `${SHOTS}login-1440-light.png` });
	await other.getByText("waiting for a token").waitFor();
	assert.equal(await other.getByRole("alert").count(), 0);
	await other.keyboard.type("wrong");
	await other.keyboard.press("Enter");
	await other.getByRole("alert").getByText("did not accept that token").waitFor();
	// No request can carry these, so they are refused here, and keep no later one from being sent.
	for (const unsendable of ["open–sesame–again…", "open sesame again", "öpen-sesame-again"]) {
		await other.getByLabel("Token").fill(unsendable);
		await other.keyboard.press("Enter");
		await other.getByRole("alert").getByText("did not accept that token").waitFor();
	}
	await other.getByLabel("Token").fill(" open-sesame-again\u00a0");
	await other.keyboard.press("Enter");
	await other.locator("[data-server]").first().waitFor();
	await other.close();
});

test("whoever gives a key of the configuration is told that the console needs the token, also after a reload", {
	skip,
}, async () => {
	const other = await watched.browser.open(`${locked.address}/`);
	await other.getByLabel("Token").fill("alices-key-of-twenty");
	await other.keyboard.press("Enter");
	await other.getByRole("alert").getByText("That is a key to the tools.").waitFor();
	await other.reload();
	await other.getByRole("alert").getByText("That is a key to the tools.").waitFor();
	await other.getByText("waiting for a token").waitFor();
	await openWithToken(other);
	await other.close();
});

test("a page that waits for a token goes on when the server is restarted without one", { skip }, async () => {
	const other = await watched.browser.open(`${locked.address}/`);
	await other.getByText("waiting for a token").waitFor();
	await other.evaluate("window.sameDocument = true");
	const file = join(locked.folder, "config.json");
	await locked.restart("no token", async () => {
		const { auth: _, ...open } = JSON.parse(readFileSync(file, "utf8"));
		writeFileSync(file, JSON.stringify(open));
	});
	await other.locator('[data-server="hostile"]').waitFor();
	await other.locator(".connection.open").waitFor();
	assert.equal(await other.evaluate("window.sameDocument"), true);
	await other.close();
});

test("a slow answer is said to be slow, whatever goes on, and a failed one can be tried again", { skip }, async (t) => {
	const { runner } = watched.started.product.gateway;
	const request = { toolId: "hostile:greet", args: { name: "Ada" }, viewer: { id: "local" } };
	const busy = setInterval(() => void runner.run({ ...request, signal: new AbortController().signal }), 200);
	t.after(() => clearInterval(busy));
	const other = await watched.browser.open("about:blank");
	let behaviour: "slow" | "fail" | "go" = "slow";
	const seen = Promise.withResolvers<void>();
	await other.route("**/api/servers", async (route) => {
		if (behaviour === "slow") await seen.promise;
		if (behaviour === "fail")
			await route.fulfill({ status: 500, json: { error: { code: "internal", message: "it broke" } } });
		else await route.continue();
	});
	await other.goto(`${watched.started.address}/`);
	await other.getByText("Still waiting for the server…").waitFor();
	clearInterval(busy);
	seen.resolve();
	await other.locator('[data-server="hostile"]').waitFor();
	behaviour = "fail";
	// Whatever else happens would have it tried again unasked.
	await other.route("**/api/events", () => {});
	await other.reload();
	await other.getByRole("alert").getByText("it broke").waitFor();
	behaviour = "go";
	await other.getByRole("button", { name: "Try again" }).click();
	await other.locator('[data-server="hostile"]').waitFor();
	await other.close();
});

function workerPid(): number {
	const pid = watched.started.product.gateway.upstreams.all
		.find(({ spec }) => spec.name === "hostile")
		?.host?.state().workerPid;
	assert.ok(pid !== undefined);
	return pid;
}

async function openWithToken(page: Page): Promise<void> {
	await page.getByLabel("Token").fill("open-sesame-again");
	await page.keyboard.press("Enter");
	await page.locator('[data-server="hostile"]').waitFor();
	await page.locator(".connection.open").waitFor();
}
