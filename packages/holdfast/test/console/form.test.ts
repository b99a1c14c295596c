import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { skip } from "./browser.ts";
import { watchedProduct } from "./watchedProduct.ts";

const watched = watchedProduct({ tools: ["hostile:greet"] });

test("a text keeps the lines it is pasted with, and Enter runs the tool only while it has one", { skip }, async () => {
	const page = await watched.browser.open(`${watched.started.address}/#/tools/hostile%3Agreet`);
	const name = page.getByRole("form").getByRole("textbox", { name: /^name/ });
	const answered = async (): Promise<unknown> => {
		const text = await page.locator("[data-result] pre").textContent({ timeout: 1_000 });
		return JSON.parse(text ?? "").args.name;
	};
	await name.fill("one line");
	await name.press("Enter");
	await until(async () => (await answered().catch(() => "")) === "one line", "it ran");
	await name.fill("");
	await page.evaluate("navigator.clipboard.writeText('first\\nsecond')");
	await name.press("Control+V");
	await name.press("Enter");
	await page.keyboard.type("third");
	await name.press("Control+Enter");
	await until(async () => (await answered().catch(() => "")) === "first\nsecond\nthird", "it ran again");
	await name.fill("first");
	await name.press("Shift+Enter");
	assert.equal(await name.inputValue(), "first\n");
	await page.close();
});

test("a form has a choice for a named type, a field for arguments of any name, and hides no characters", {
	skip,
}, async () => {
	const path = "/api/tools/hostile%3Agreet";
	const details = JSON.parse(await (await fetch(`${watched.started.address}${path}`)).text());
	const inputSchema = {
		type: "object",
		properties: { mood: { $ref: "#/$defs/Mood", description: "How\u{e0048}" } },
		required: ["mood"],
		additionalProperties: { type: "string" },
		$defs: { Mood: { enum: ["calm", ""] } },
	};
	const page = await watched.browser.open("about:blank");
	await page.route(`**${path}`, (route) => route.fulfill({ json: { ...details, definition: { inputSchema } } }));
	const [sent] = await Promise.all([
		page.waitForRequest(`**${path}/run`),
		(async () => {
			await page.goto(`${watched.started.address}/#/tools/hostile%3Agreet`);
			await page.getByText("How\\u{e0048}", { exact: true }).waitFor();
			const mood = page.getByRole("combobox", { name: /^mood/ });
			assert.deepEqual(await mood.locator("option").allTextContents(), ["–", "calm", '""']);
			await mood.selectOption("calm");
			await page.getByRole("textbox", { name: /^Other arguments/ }).fill('{"name": "Ada"}');
			await page.getByRole("button", { name: "Run", exact: true }).click();
		})(),
	]);
	assert.deepEqual(sent.postDataJSON(), { args: { mood: "calm", name: "Ada" } });
	await page.close();
});

test("a number that JavaScript would round is sent, shown and copied as it is", { skip }, async () => {
	const large = "9007199254740993";
	const page = await watched.browser.open(`${watched.started.address}/#/tools/hostile%3Agreet`);
	const form = page.getByRole("form");
	await form.getByRole("textbox", { name: /^name/ }).fill("Ada");
	await form.getByRole("textbox", { name: /^times/ }).fill(large);
	await page.getByRole("button", { name: "Run", exact: true }).click();
	await page.locator("[data-result] pre").first().getByText(`"times": ${large}`).waitFor();
	await page.locator("[data-result]").getByRole("button", { name: /^Copy/ }).first().click();
	await until(
		async () => String(await page.evaluate("navigator.clipboard.readText()")).includes(`"times": ${large}`),
		"it is copied",
	);
	await page.close();
});
