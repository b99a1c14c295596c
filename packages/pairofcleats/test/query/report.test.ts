import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isFrame, readReport } from "../../src/query/report.ts";

test("a report has a title, its first line, and otherwise prose and pasted parts", () => {
	const report = readReport(
		"Retries never stop\n\nThe queue asks again.\n\n```go\nretry(job)\n```\nAfter that it hangs.",
	);
	assert.deepEqual(report, {
		title: "Retries never stop",
		said: "The queue asks again.\nAfter that it hangs.",
		shown: "retry(job)",
		isTold: false,
	});
});

test("headings, comments, checkboxes and empty answers of a template are not prose", () => {
	const { said, shown } = readReport(
		`Retries never stop
<!-- Please search
the tracker first -->
- [x] I have read the guide
### Describe the bug
The queue asks again.
**Expected behavior**
It stops.
### Additional context
_No response_
### Screenshots
N/A`,
	);
	assert.equal(said, "The queue asks again.\nIt stops.");
	assert.equal(shown, "");
});

test("sections about the environment are ignored, including their pasted parts", () => {
	const { said, shown } = readReport(
		"Retries never stop\n## Environment\n- OS: Mac\n```\nnode 24\n```\n## Description\nThe queue asks again.",
	);
	assert.equal(said, "The queue asks again.");
	assert.equal(shown, "");
});

test("addresses and images are ignored", () => {
	const { title, said } = readReport(
		"Retries (see https://example.com/tracker?id=7#step:2) never stop\n![shot](https://example.com/a.png) it hangs\n<img width=3 src='x'>",
	);
	assert.equal(title.replaceAll(/\s+/g, " "), "Retries (see ) never stop");
	assert.equal(said.trim(), "it hangs");
});

test("a trace on its own has no title, and its frames count as pasted", () => {
	const text = 'Traceback (most recent call last):\n  File "app/queue.py", line 3, in ask\nValueError: no job';
	assert.deepEqual(readReport(text), {
		title: "",
		said: "ValueError: no job",
		shown: 'Traceback (most recent call last):\n  File "app/queue.py", line 3, in ask',
		isTold: false,
	});
});

test("a paragraph on one line is not a title", () => {
	const paragraph = "the queue asks again and again ".repeat(20).trim();
	assert.deepEqual(readReport(paragraph), { title: "", said: paragraph, shown: "", isTold: true });
});

test("pasted output with a few words is not prose, but a filled-in template or a page of text is", () => {
	const output = Array.from({ length: 30 }, (_, at) => `app/queue.c:${at + 1}:5: warning: unused variable job`).join(
		"\n",
	);
	assert.equal(readReport(output).isTold, false);
	assert.equal(readReport(`why does this fail?\n\n\`\`\`\n${output}\n\`\`\``).isTold, false);
	assert.equal(readReport(`### Describe the bug\nIt fails.\n${output}`).isTold, true);
	assert.equal(readReport(`${"It fails when the queue is asked again. ".repeat(8)}\n${output}`).isTold, true);
});

test("a line of compiler output has no operators, and a path with a line number is an ordinary query", () => {
	const lines = [
		'app/queue.ts(3,5): error TS2304: Cannot find name "job".',
		"/srv/app/Queue.swift:31: error: -[QueueTests testAsk] : failed",
		'PHP Parse error:  unexpected token "job" in /srv/app/queue.php on line 3',
		"./run.sh: line 3: jq: command not found",
	];
	for (const line of lines) assert.ok(isFrame(line), line);
	for (const line of ["app/queue.ts:3", '"no job" -test', "what is at app/queue.ts:3"]) assert.ok(!isFrame(line), line);
});

test("any text is parsed in bounded time, and no part is duplicated", () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 2_000 }), (text) => {
			const { title, said, shown } = readReport(text);
			return title.length + said.length + shown.length <= text.length;
		}),
	);
	for (const piece of ["<!--", "![", "](", "**", "# ", "```\n", "http://", "<img ", "> ", "- [ ] ", ".a:1", ".a(1,"]) {
		readReport(piece.repeat(20_000));
		isFrame(piece.repeat(20_000));
	}
});
