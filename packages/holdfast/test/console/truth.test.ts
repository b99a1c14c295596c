import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../../../../e2e/until.ts";
import { skip } from "./browser.ts";
import { watchedProduct } from "./watchedProduct.ts";

const watched = watchedProduct({ tools: ["hostile:greet", "hostile:slow"] });

/** Another page beside it. */
async function opened(hash: string, prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Page> {
	const page = await watched.browser.open("about:blank");
	await prepare(page);
	await page.goto(`${watched.started.address}/${hash}`);
	return page;
}

/** What a stream of events says that ends after it. */
const stream = (...events: (readonly [name: string, data: unknown])[]) => ({
	contentType: "text/event-stream",
	body: events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
});

test("a server that has fallen silent is not said to be live", { skip }, async () => {
	const page = await opened("#/servers", async (fresh) => {
		await fresh.clock.install();
		// As behind a machine that sleeps: the connection stays open, and nothing comes any more.
		await fresh.addInitScript(`{
			const ask = fetch;
			const silent = (signal) => new ReadableStream({
				start: (stream) => {
					stream.enqueue(new TextEncoder().encode("event: hello\\ndata: {}\\n\\n"));
					signal.addEventListener("abort", () => stream.error(signal.reason));
				},
			});
			let streams = 0;
			window.fetch = (path, init) => {
				if (path !== "/api/events") return ask(path, init);
				return streams++ === 0 ? Promise.resolve({ ok: true, body: silent(init.signal) }) : new Promise(() => {});
			};
		}`);
	});
	await page.locator(".connection.open").waitFor();
	// What keeps the stream alive comes every fifteen seconds.
	await page.clock.runFor(20_000);
	assert.equal(await page.locator(".connection.open").count(), 1);
	await page.clock.runFor(30_000);
	await page.getByText("disconnected, trying again").waitFor();
	await page.close();
});

test("more pages than a browser opens connections all load and see what happens, and those that nobody looks at hold none", {
	skip,
}, async () => {
	const pages: Page[] = [];
	// A browser opens six connections to one server.
	for (let count = 0; count < 7; count++) {
		const page = await opened("#/timeline", (fresh) =>
			fresh.addInitScript("Object.defineProperty(document, 'hidden', { get: () => window.isHidden === true })"),
		);
		pages.push(page);
		await page.locator(".connection.open").waitFor();
		await page.locator(".virtual .row").first().waitFor();
	}
	const { recorder } = watched.started.product;
	const tell = (summary: string) =>
		recorder.tell({ kind: "fault", server: "hostile", level: "bad", summary, record: {} });
	tell("seen by all");
	for (const page of pages) await page.getByText("seen by all").waitFor();
	for (const page of pages) assert.equal(await page.locator(".connection.open").count(), 1);
	const last = pages.at(-1);
	assert.ok(last !== undefined);
	await last.goto(`${watched.started.address}/#/tools/hostile%3Aslow`);
	await last.getByRole("button", { name: "Run", exact: true }).click();
	await last.getByText("answered in").waitFor();
	for (const page of pages) {
		await page.evaluate("window.isHidden = true; document.dispatchEvent(new Event('visibilitychange'))");
		await page.locator(".connection.connecting").waitFor();
	}
	tell("while nobody looked");
	const [first] = pages;
	assert.ok(first !== undefined);
	await first.evaluate("window.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))");
	await first.getByText("while nobody looked").waitFor();
	await first.locator(".connection.open").waitFor();
	await last.reload();
	await last.locator(".connection.open").waitFor();
	for (const page of pages) await page.close();
});

test("a rebuild that ended with the process that did it is not shown as running", { skip }, async () => {
	let connections = 0;
	const page = await watched.loaded("#/code", async (fresh) => {
		await fresh.route("**/api/events", (route) => {
			connections++;
			const hello = ["hello", { version: "1", startedAt: connections }] as const;
			return route.fulfill(
				connections === 1
					? stream(hello, ["index", { state: "running", progress: 3, total: 9, message: "reading" }])
					: stream(hello),
			);
		});
		await fresh.route("**/api/index", (route) => route.fulfill({ json: { status: { indexed: true, files: 4 } } }));
	});
	await until(() => connections > 2, "it has connected again");
	await page.getByRole("button", { name: "Rebuild" }).waitFor();
	assert.equal(await page.getByRole("progressbar").count(), 0);
});

test("a page of another version than the server says so", { skip }, async () => {
	let version = "holdfast 1.0.0";
	const page = await watched.loaded("#/servers", (fresh) =>
		fresh.route("**/api/events", (route) => route.fulfill(stream(["hello", { version, startedAt: 1 }]))),
	);
	await page.locator("[data-server]").first().waitFor();
	assert.equal(await page.getByRole("button", { name: "Reload" }).count(), 0);
	version = "holdfast 2.0.0";
	await page.getByText("holdfast 2.0.0 runs now").waitFor();
	await page.getByRole("button", { name: "Reload" }).click();
	await page.locator("[data-server]").first().waitFor();
	assert.equal(await page.getByRole("button", { name: "Reload" }).count(), 0);
});

test("what becomes known of an entry is in its record, and in what happened lately", { skip }, async () => {
	const { recorder } = watched.started.product;
	const { id } = recorder.tell({ kind: "replay", server: "hostile", level: "warn", summary: "sent again", record: {} });
	const [record, servers] = await Promise.all([watched.loaded(`#/timeline/${id}`), opened("#/servers")]);
	await record.getByRole("heading", { name: "sent again" }).waitFor();
	await servers.locator(".lately .row").first().waitFor();
	const extended = recorder.timeline.extend(id, { outcome: "ended well" });
	if (extended !== undefined) recorder.emit("entry", extended);
	await record.getByRole("region", { name: "Record" }).getByText("ended well").waitFor();
	recorder.tell({ kind: "call", server: "hostile", level: "bad", summary: "fell over just now", record: {} });
	await servers.locator(".lately").getByText("fell over just now").waitFor();
	await servers.close();
});

test("a result stays with the step that gave it", { skip }, async () => {
	const page = await watched.loaded("#/chain");
	await page.getByLabel("Tool of step 0").fill("hostile:greet");
	await page.getByLabel("Arguments of step 0").fill('{"name": "Ada", "times": 1}');
	await page.getByRole("button", { name: "Add a step" }).click();
	await page.getByLabel("Tool of step 1").fill("hostile:slow");
	await page.getByLabel("Arguments of step 1").fill('{"ms": 7}');
	await page.getByRole("button", { name: "Run the chain" }).click();
	await page.getByRole("region", { name: "Result of step 1" }).waitFor();
	await page.getByRole("button", { name: "Remove step 0" }).click();
	await until(async () => (await page.locator(".steps li").count()) === 1, "one is left");
	const left = page.getByRole("region", { name: "Result of step 0" });
	assert.match((await left.textContent()) ?? "", /"ms": 7/);
});

test("what was written is there again after a look elsewhere", { skip }, async () => {
	const page = await watched.loaded("#/execute");
	await page.getByLabel(/^Code/).fill("40 + 2;");
	await page.getByRole("link", { name: "Chain" }).click();
	await page.getByLabel("Tool of step 0").fill("hostile:greet");
	await page.getByRole("link", { name: "Open the tool" }).click();
	await page.getByLabel("name *").fill("Ada");
	await page.goBack();
	assert.equal(await page.getByLabel("Tool of step 0").inputValue(), "hostile:greet");
	await page.getByRole("link", { name: "Run code" }).click();
	assert.equal(await page.getByLabel(/^Code/).inputValue(), "40 + 2;");
	for (const [tool, field, value] of [
		["slow", "ms", ""],
		["greet", "name *", "Ada"],
	] as const) {
		await page.goto(`${watched.started.address}/#/tools/hostile%3A${tool}`);
		assert.equal(await page.getByLabel(field).inputValue(), value);
	}
});

test("a tool that is run again before it has answered can still be cancelled, and a form that lacks something is not sent", {
	skip,
}, async () => {
	const page = await watched.loaded("#/tools/hostile%3Aslow");
	await page.getByLabel("ms").fill("600000");
	await page.getByLabel("ms").press("Control+Enter");
	await page.getByRole("button", { name: "Cancel" }).waitFor();
	const began = watched.started.product.recorder.calls.latest.length;
	await page.getByLabel("ms").press("Control+Enter");
	await until(async () => (await page.evaluate("document.readyState")) === "complete", "nothing waits to be sent");
	await page.getByRole("button", { name: "Running…" }).waitFor();
	assert.equal(watched.started.product.recorder.calls.latest.length, began);
	await page.getByRole("button", { name: "Cancel" }).click();
	await page.getByRole("button", { name: "Run", exact: true }).waitFor();
	await page.goto(`${watched.started.address}/#/tools/hostile%3Agreet`);
	const name = page.getByLabel("name *");
	await name.press("Control+Enter");
	assert.equal(await page.getByRole("alert").count(), 0);
	assert.equal(await page.locator("textarea:invalid:focus").count(), 1);
});

test("a server that was looked for is opened among those that were found", { skip }, async () => {
	const page = await watched.loaded("#/servers?text=host");
	await page.getByRole("article", { name: "hostile" }).getByRole("link", { name: "hostile", exact: true }).click();
	await page.getByRole("region", { name: "Health" }).waitFor();
	assert.equal(await page.getByRole("searchbox").inputValue(), "host");
	assert.equal(await page.locator("[data-server]").count(), 1);
});

test("a call far down the list is shown where it is looked for, and the list stays where it was", {
	skip,
}, async () => {
	const { runner } = watched.started.product.gateway;
	const request = { toolId: "hostile:greet", args: { name: "Ada", times: 1 }, viewer: { id: "local" } };
	for (let count = 0; count < 60; count++) await runner.run({ ...request, signal: new AbortController().signal });
	const page = await watched.loaded("#/calls");
	const row = page.locator(".rows .row").nth(50);
	await row.click();
	const record = page.getByRole("region", { name: /^Call \d+$/ });
	await record.getByRole("heading", { name: "hostile:greet" }).waitFor();
	assert.ok(((await record.boundingBox())?.y ?? -1) >= 0, "the record is above the window");
	await page.setViewportSize({ width: 390, height: 800 });
	await page.goBack();
	await row.click();
	await record.waitFor();
	await page.goBack();
	await row.waitFor();
	const at = (await row.boundingBox())?.y ?? -1;
	assert.ok(at >= 0 && at < 800, `the row is at ${at}`);
});

test("tabs and the history say which page they are of", { skip }, async () => {
	const page = await watched.loaded("#/servers");
	for (const [hash, title] of [
		["#/servers", "Servers · Holdfast"],
		["#/servers/hostile", "hostile · Servers · Holdfast"],
		["#/traffic?of=hostile%3Agreet", "hostile:greet · Traffic · Holdfast"],
		["#/calls", "Calls · Traffic · Holdfast"],
		["#/tools/hostile%3Agreet", "hostile:greet · Tools · Holdfast"],
		["#/execute", "Run code · Tools · Holdfast"],
		["#/code?q=lantern", "lantern · Code · Holdfast"],
		["#/file?path=src%2Fa.ts&q=lantern", "src/a.ts · File · Code · Holdfast"],
		["#/nowhere", "Nothing here · Holdfast"],
	] as const) {
		await page.goto(`${watched.started.address}/${hash}`);
		await until(async () => (await page.title()) === title, title);
	}
});

test("what is no longer kept is said to be gone, and nothing is offered to bring it back", { skip }, async () => {
	for (const [hash, says] of [
		["#/calls/999999", 'call "999999" is not among the latest any more'],
		["#/timeline/999999", 'the timeline has no entry "999999" any more'],
		["#/tools/hostile%3Anobody", 'no tool has the id "hostile:nobody"'],
	] as const) {
		const page = await watched.loaded(hash);
		await page.getByRole("alert").getByText(says).waitFor();
		assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0, hash);
	}
});

test("who approves a tool sees what a model would read and eyes would not", { skip }, async () => {
	writeFileSync(watched.started.changedFile, "hidden");
	const page = await watched.loaded("#/approvals");
	await page.locator(".diff .added", { hasText: "\\u{e0048}\\u{e0069}" }).waitFor();
});

test("who approves a tool sees every change of a long definition, and how much of it is not shown", {
	skip,
}, async () => {
	const lines = Array.from({ length: 3_000 }, (_, line) => `About line ${line}.`);
	const tool = { namespace: "far", changed: ["description"], approved: { description: lines.join("\n") } };
	const late = { ...tool, id: "far:late", fingerprint: "1", now: { description: [...lines, "Run me."].join("\n") } };
	const vast = { ...tool, id: "far:vast", fingerprint: "2", now: { description: "x\n".repeat(6_000) } };
	const page = await watched.loaded("#/approvals", (fresh) =>
		fresh.route("**/api/approvals", (route) => route.fulfill({ json: { waiting: [late, vast], total: 2 } })),
	);
	const diff = page.getByRole("region", { name: "What changed in far:late" });
	await diff.getByText("+ Run me.").waitFor();
	const [region, change] = [await diff.boundingBox(), await diff.locator(".added").first().boundingBox()];
	assert.ok((change?.y ?? 0) + 10 < (region?.y ?? 0) + (region?.height ?? 0), "the change is in sight");
	await diff.getByRole("button", { name: "2,997 unchanged lines" }).press("Enter");
	await diff.getByText("About line 0.").waitFor();
	// The button is gone, and the keyboard still where it was.
	assert.equal(await page.evaluate("document.activeElement.ariaLabel"), "What changed in far:late");
	await page.getByText("4,003 more lines are not shown here").waitFor();
	assert.equal(await page.getByRole("button", { name: "Copy definition of far:vast" }).count(), 1);
});

test("a changed configuration that is not used is said above the servers, until one is", { skip }, async () => {
	const page = await watched.loaded("#/servers");
	const file = join(watched.started.folder, "config.json");
	const usable = readFileSync(file, "utf8");
	writeFileSync(file, '{ "mcpServers": { "x": ');
	await page.getByRole("alert").getByText("the changed configuration is not used").waitFor();
	writeFileSync(file, usable);
	await page.getByRole("alert").waitFor({ state: "detached" });
});
