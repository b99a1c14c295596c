import assert from "node:assert/strict";
import { test } from "node:test";
import {
	fitAnswer,
	fitClientCapabilities,
	fitNotification,
	fitQuestion,
	fitRequest,
} from "../../src/server/protocol/fitQuestion.ts";
import { fitMembers, fitResult } from "../../src/server/protocol/fitResult.ts";
import { WrittenResult } from "../../src/server/protocol/outlet.ts";
import { revisionFor } from "../../src/server/protocol/revisions.ts";

test("a handshake gets the revision it asks for, or the newest with a handshake", () => {
	for (const known of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) assert.equal(revisionFor(known), known);
	for (const other of ["2026-07-28", "2024-10-07", "", undefined, 7, "__proto__"])
		assert.equal(revisionFor(other), "2025-11-25");
});

test("a client's capabilities are those that its revision has", () => {
	const declared = {
		elicitation: { form: {}, url: {} },
		sampling: { tools: {} },
		tasks: { list: {} },
		roots: { listChanged: true },
	};
	assert.deepEqual(fitClientCapabilities(declared, "2025-11-25"), declared);
	const roots = { roots: { listChanged: true } };
	assert.deepEqual(fitClientCapabilities(declared, "2025-06-18"), { ...roots, elicitation: {}, sampling: {} });
	assert.deepEqual(fitClientCapabilities(declared, "2024-11-05"), { ...roots, sampling: {} });
});

test("a form is asked without what an older revision lacks, and not at all where that takes its sense", () => {
	const form = (properties: Record<string, unknown>) => ({
		mode: "form",
		message: "m",
		requestedSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", properties },
	});
	const asked = fitQuestion(
		"2025-06-18",
		"elicitation/create",
		form({
			size: { type: "string", oneOf: [{ const: "s", title: "Small" }], default: "s" },
			sure: { type: "boolean", default: true },
		}),
	);
	assert.deepEqual(asked, {
		message: "m",
		requestedSchema: {
			type: "object",
			properties: {
				size: { type: "string", enum: ["s"], enumNames: ["Small"] },
				sure: { type: "boolean", default: true },
			},
		},
	});
	const several = form({ sizes: { type: "array", items: { type: "string", enum: ["s"] } } });
	assert.throws(() => fitQuestion("2025-06-18", "elicitation/create", several), /has no choices of several values/);
	assert.equal(fitQuestion("2025-11-25", "elicitation/create", several), several);
	assert.throws(() => fitQuestion("2025-03-26", "elicitation/create", form({})), /has no questions to the user/);
});

test("a page to open is named by an id in the revisions that have one", () => {
	const page = { mode: "url", message: "m", url: "https://example.com" };
	assert.throws(() => fitQuestion("2025-06-18", "elicitation/create", page), /has no pages to open/);
	assert.match(String(fitQuestion("2025-11-25", "elicitation/create", page)?.elicitationId), /^[\da-f-]{36}$/);
	assert.equal(fitQuestion("2026-07-28", "elicitation/create", page), page);
});

test("sampling with tools is not asked of a client that could not take part", () => {
	const params = { messages: [], maxTokens: 1, tools: [] };
	assert.throws(() => fitQuestion("2025-06-18", "sampling/createMessage", params), /has no tools in sampling/);
	assert.deepEqual(fitQuestion("2025-11-25", "sampling/createMessage", params), params);
});

test("news of tasks and pages goes only to revisions that have them", () => {
	const told = (revision: string, method: string) => fitNotification(revision, method, { a: 1 });
	for (const method of ["notifications/tasks/status", "notifications/elicitation/complete"]) {
		assert.equal(told("2025-06-18", method), undefined);
		assert.deepEqual(told("2025-11-25", method), { a: 1 });
	}
	assert.deepEqual(told("2024-11-05", "notifications/message"), { a: 1 });
});

test("a server is asked and answered in its own revision", () => {
	const completion = { ref: {}, argument: {}, context: { arguments: {} } };
	assert.deepEqual(fitRequest("2025-03-26", "completion/complete", completion), { ref: {}, argument: {} });
	assert.equal(fitRequest("2025-06-18", "completion/complete", completion), completion);
	assert.deepEqual(fitRequest("2025-06-18", "tools/call", { name: "t", task: {} }), { name: "t" });
	const texts = [
		{ type: "text", text: "one" },
		{ type: "text", text: "two" },
	];
	const answer = { role: "assistant", model: "m", content: texts };
	assert.deepEqual(fitAnswer("2025-06-18", "sampling/createMessage", answer).content, {
		type: "text",
		text: "one\ntwo",
	});
	assert.equal(fitAnswer("2025-11-25", "sampling/createMessage", answer), answer);
});

test("data that is no object is text before 2026-07-28, and data beside an image alone before 2025-06-18 is too", () => {
	const list = { content: [], structuredContent: [1, 2] };
	assert.deepEqual(fitMembers("2025-11-25", "tools/call", list), { content: [{ type: "text", text: "[1,2]" }] });
	assert.equal(fitMembers("2026-07-28", "tools/call", list), list);
	const image = { type: "image", data: "", mimeType: "image/png" };
	const seen = { content: [image], structuredContent: { a: 1 } };
	assert.deepEqual(fitMembers("2025-03-26", "tools/call", seen), {
		content: [image, { type: "text", text: '{"a":1}' }],
	});
	assert.deepEqual(fitMembers("2025-06-18", "tools/call", seen), seen);
});

test("a result that is text already is read only for a revision that lacks something of it", () => {
	const written = new WrittenResult('"content":[{"type":"text","text":"1e400"}],"structuredContent":{"n":1e400}');
	assert.equal(fitResult("2025-06-18", "tools/call", written), written);
	assert.deepEqual(fitResult("2025-03-26", "tools/call", written), { content: [{ type: "text", text: "1e400" }] });
});

test("what is malformed passes as it is", () => {
	for (const tools of [7, null, [null, 7]])
		assert.deepEqual(fitMembers("2024-11-05", "tools/list", { tools }), { tools });
	assert.deepEqual(fitMembers("2024-11-05", "tools/call", { content: 7 }), { content: 7 });
	assert.equal(fitResult("2024-11-05", "tools/call", undefined), undefined);
	assert.equal(fitResult("2024-11-05", "tools/call", "x"), "x");
});
