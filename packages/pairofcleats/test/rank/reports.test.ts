import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { buildIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import type { Repository } from "../../src/repo/repository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";

/** Every file contains the words of the reports, so that only the trace tells them apart. */
const FILES: Readonly<Record<string, string>> = {
	"service/src/main/java/org/shop/order/OrderReader.java":
		"package org.shop.order;\nclass OrderReader { void readOrder() { parse(); } }",
	"service/src/main/java/org/shop/order/OrderWriter.java":
		"package org.shop.order;\nclass OrderWriter { void writeOrder() { parse(); } }",
	"worker/queue/drain.go": "package queue\nfunc Drain(order Order) { parse(order) }",
	"worker/queue/fill.go": "package queue\nfunc Fill(order Order) { parse(order) }",
	"engine/src/plan/cost.rs": "pub fn cost(order: &Order) -> u64 { parse(order) }",
	"engine/src/plan/shape.rs": "pub fn shape(order: &Order) -> u64 { parse(order) }",
	"web/src/cart/total.ts": "export function total(order: Order) { return parse(order); }",
	"web/src/cart/lines.ts": "export function lines(order: Order) { return parse(order); }",
	"desk/Billing/Invoice.cs": "class Invoice { void Print(Order order) { Parse(order); } }",
	"desk/Billing/Receipt.cs": "class Receipt { void Print(Order order) { Parse(order); } }",
	"site/app/Mail/Sender.php": "<?php\nclass Sender { function send($order) { parse($order); } }",
	"site/app/Mail/Reader.php": "<?php\nclass Reader { function read($order) { parse($order); } }",
	"jobs/lib/jobs/nightly.rb": "class Nightly\n  def run(order)\n    parse(order)\n  end\nend",
	"jobs/lib/jobs/weekly.rb": "class Weekly\n  def run(order)\n    parse(order)\n  end\nend",
	"tools/report/render.py": "def render(order):\n    return parse(order)\n",
	"tools/report/collect.py": "def collect(order):\n    return parse(order)\n",
	"store/ledger.py": ledger(),
	"store/faults.py": 'def refuse(order):\n    raise ValueError("the printed receipt of an order must be rendered")\n',
	"play.py": "from tools.report.render import render\n\nrender(None)\n",
	"examples/render/tutorial.py": "from tools.report.render import render\n\n\nrender({})\n",
	"engine/src/lib.rs": "pub mod plan;\npub fn order() -> u64 { parse(order) }",
	"driver/src/lib.rs": "pub mod order;\npub fn panicked() -> u64 { parse(order) }",
	"service/src/test/java/org/shop/OrderTest.java": orderTest(),
	"tools/tests/test_render.py": "def test_render(order):\n    assert parse(order)\n",
};

/** Similar functions of six lines each, which the words of a query do not tell apart. */
function ledger(): string {
	const names = ["open", "get", "put", "drop", "close"];
	return names
		.map((name) => `def ${name}(entry):\n    order = entry\n    a = 1\n    b = 2\n    return order\n\n`)
		.join("");
}

/** Similar methods of three lines each: reads 2-4, writes 5-7, drops 8-10. */
function orderTest(): string {
	const methods = ["reads", "writes", "drops"].map((name) => `\tvoid ${name}() {\n\t\tparse(order);\n\t}\n`);
	return `class OrderTest {\n${methods.join("")}}\n`;
}

const TRACES: Readonly<Record<string, readonly [trace: string, first: string]>> = {
	java: [
		'Exception in thread "main" java.lang.NullPointerException: order\n\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)\n\tat org.shop.order.OrderWriter.writeOrder(OrderWriter.java:12)\n\tat org.junit.Runner.run(Runner.java:10)',
		"service/src/main/java/org/shop/order/OrderWriter.java",
	],
	go: [
		"panic: runtime error: invalid memory address\n\ngoroutine 7 [running]:\nruntime.gopanic(0xc0001)\n\t/usr/local/go/src/runtime/panic.go:884 +0x213\nexample.com/worker/queue.Fill(0x0)\n\t/build/worker/queue/fill.go:31 +0x1d",
		"worker/queue/fill.go",
	],
	rust: [
		"thread 'main' panicked at engine/src/plan/shape.rs:14:9:\nindex out of bounds\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/9fc6b4312/library/std/src/panicking.rs:647:5\n   1: engine::plan::shape::shape\n             at ./src/plan/shape.rs:14:9",
		"engine/src/plan/shape.rs",
	],
	node: [
		"TypeError: Cannot read properties of undefined (reading 'order')\n    at lines (/srv/web/dist/cart/lines.js:3:14)\n    at Layer.handle (/srv/node_modules/express/lib/router/layer.js:95:5)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
		"web/src/cart/lines.ts",
	],
	"c#": [
		"Unhandled exception. System.NullReferenceException: Object reference not set\n   at Desk.Billing.Receipt.Print(Order order) in C:\\agent\\_work\\1\\s\\desk\\Billing\\Receipt.cs:line 27\n   at System.Threading.Tasks.Task.Execute()",
		"desk/Billing/Receipt.cs",
	],
	php: [
		"PHP Fatal error:  Uncaught TypeError: order must be set in /var/www/site/app/Mail/Reader.php:9\nStack trace:\n#0 /var/www/site/vendor/acme/kernel/Kernel.php(44): Reader->read(NULL)\n#1 {main}\n  thrown in /var/www/site/app/Mail/Reader.php on line 9",
		"site/app/Mail/Reader.php",
	],
	ruby: [
		"/srv/jobs/lib/jobs/weekly.rb:3:in `run': undefined method `parse' for nil (NoMethodError)\n\tfrom /usr/lib/ruby/gems/3.3.0/gems/rake-13.1.0/lib/rake/task.rb:281:in `execute'",
		"jobs/lib/jobs/weekly.rb",
	],
	python: [
		'Traceback (most recent call last):\n  File "/venv/lib/python3.12/site-packages/click/core.py", line 10, in main\n    return run()\n  File "/home/u/tools/report/collect.py", line 2, in collect\n    return parse(order)\nValueError: order',
		"tools/report/collect.py",
	],
};

const cacheRoot = mkdtempSync(join(tmpdir(), "pairofcleats-reports-"));
const root = join(cacheRoot, "shop");
let repository: Repository;

before(async () => {
	for (const [path, text] of Object.entries(FILES)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	await buildIndex({ root, folder: openIndexFolder(cacheRoot, root) });
	repository = openRepository(root, { cacheRoot, model: null, freshnessMs: 1e9 });
});

after(async () => {
	await repository.close();
	rmSync(cacheRoot, { recursive: true, force: true });
});

for (const [language, [trace, first]] of Object.entries(TRACES)) {
	test(`a ${language} trace, pasted alone or inside a report, brings the file that failed first`, async () => {
		const alone = await repository.search({ query: trace, top: 3 });
		assert.equal(alone.hits[0]?.path, first);
		const report = `Parsing an order fails\n\n### Describe the bug\nparse gets no order.\n\n\`\`\`\n${trace}\n\`\`\`\n\n### Environment\n- OS: Linux`;
		const inside = await repository.search({ query: report, top: 3 });
		assert.equal(inside.hits[0]?.path, first);
	});
}

/** A program's output about a line, the file that it names first, and that line. */
const OUTPUTS: Readonly<Record<string, readonly [output: string, path: string, line: number]>> = {
	"a small file at the root": [
		'Traceback (most recent call last):\n  File "/home/u/tools/report/render.py", line 2, in render\n    return parse(order)\n  File "/home/u/play.py", line 3, in <module>\n    render(None)\nValueError: the printed receipt of an order must be rendered',
		"play.py",
		3,
	],
	"an example": [
		"examples/render/tutorial.py:4: error: the printed receipt of an order must be rendered",
		"examples/render/tutorial.py",
		4,
	],
	"a test": [
		"tools/tests/test_render.py:2: AssertionError\nFAILED tools/tests/test_render.py::test_render - the printed receipt of an order must be rendered",
		"tools/tests/test_render.py",
		2,
	],
	"a file like many": [
		"thread 'order' panicked at engine/src/lib.rs:2:5:\norder of the driver panicked",
		"engine/src/lib.rs",
		2,
	],
	"a line between two declarations": ["store/ledger.py:18:1: E303 too many blank lines", "store/ledger.py", 17],
	"the first of several": [
		"web/src/cart/total.ts(1,9): error TS2304: Cannot find name 'total'.\nweb/src/cart/lines.ts(1,9): error TS2304: lines of cart lines, lines of src.\n",
		"web/src/cart/total.ts",
		1,
	],
	"what a linter lists below it": [
		"/home/u/store/ledger.py\n  16:5  error  'b' is never used  no-unused-vars\n\n1 problem",
		"store/ledger.py",
		16,
	],
	"quotes and dashes": [
		'/srv/site/app/Mail/Sender.php:2: error: -[Mail send] : expected "class Receipt" of desk Billing',
		"site/app/Mail/Sender.php",
		2,
	],
	"a test by its class and method, as Maven does": [
		"[ERROR] Failures: \n[ERROR]   OrderTest.drops:9 the printed receipt of an order must be rendered\n[ERROR]   OrderTest.reads:3 expected:<1> but was:<2>",
		"service/src/test/java/org/shop/OrderTest.java",
		9,
	],
	"a script": ["./play.py: 3: render: not found", "play.py", 3],
	colours: [
		"\u001b[96mstore/ledger.py\u001b[0m:\u001b[93m22\u001b[0m:\u001b[93m5\u001b[0m - \u001b[91merror\u001b[0m TS1: the printed receipt of an order must be rendered",
		"store/ledger.py",
		22,
	],
};

for (const [what, [output, path, line]] of Object.entries(OUTPUTS)) {
	test(`pasted output leads to the line that it names first: ${what}`, async () => {
		for (const query of [
			output,
			`Billing Receipt is not printed: class Receipt of desk\n\n\`\`\`\n${output}\n\`\`\`\n`,
		]) {
			const [hit] = (await repository.search({ query, top: 3 })).hits;
			assert.equal(hit?.path, path);
			assert.ok(hit.startLine <= line && hit.endLine >= line, JSON.stringify(hit));
		}
	});
}

test("in a report with much prose, a test in its trace ranks after the code it describes", async () => {
	const trace = OUTPUTS["a test"]?.[0];
	const first = async (query: string): Promise<string | undefined> =>
		(await repository.search({ query, top: 1 })).hits[0]?.path;
	assert.equal(await first(`Weekly run fails\n${trace}`), "tools/tests/test_render.py");
	const told = `Weekly run fails\n### Describe the bug\nThe weekly run of class Weekly ends.\n\`\`\`\n${trace}\n\`\`\`\n`;
	assert.equal(await first(told), "jobs/lib/jobs/weekly.rb");
});

test("a report that mentions tests does not ask for them", async () => {
	const { hits } = await repository.search({ query: "render fails in a test\n\nthe test of render fails", top: 3 });
	assert.equal(hits[0]?.path, "tools/report/render.py");
});

test("the title of a report outweighs its pasted parts", async () => {
	const query = "receipt is not printed\n\n```\nnightly nightly weekly weekly total lines shape cost\n```\n";
	const { hits } = await repository.search({ query, top: 3 });
	assert.equal(hits[0]?.path, "desk/Billing/Receipt.cs");
});

test("the questions of an issue template are not searched", async () => {
	const { hits } = await repository.search({
		query:
			"drain stops early\n\n### Environment\nweekly nightly render collect\n\n### Checklist\n- [x] shape cost total\n",
		top: 3,
	});
	assert.deepEqual(new Set(hits.map(({ path }) => path)), new Set(["worker/queue/drain.go"]));
});

/** Lines of `ledger`: open 1-5, get 7-11, put 13-17, drop 19-23, close 25-29. */
const PLACES: readonly (readonly [query: string, name: string, line: number | undefined])[] = [
	["store/ledger.py:16", "put", 16],
	["what does it get to drop in ledger.py line 22", "drop", 22],
	["get fails at store/ledger.py:16", "put", 16],
	["why does line 22 of store/ledger.py get an order", "drop", 22],
	['File "/srv/store/ledger.py", line 10, in get', "get", 10],
	[
		'Traceback (most recent call last):\n  File "/srv/store/ledger.py", line 10, in get\n    x\nKeyError: order',
		"get",
		10,
	],
	// From another version of the file: the named function has moved since.
	['File "/srv/store/ledger.py", line 400, in drop', "drop", undefined],
	["panic: order\n  at put (/srv/store/ledger.py:4:1)\n  at open (/srv/store/ledger.py:9:1)", "put", undefined],
	["    (shop 1.0.0) store/ledger.py:9: Shop.Ledger.put/2", "put", undefined],
	["    store/ledger.py:9: anonymous fn/1 in Shop.Ledger.put/2", "put", undefined],
	["stack traceback:\n\t[C]: in function 'error'\n\tsrv/store/ledger.py:9: in function 'put'", "put", undefined],
	["panic: order\n/srv/store/ledger.py:9:14: 0x12ab34 in put (shop)", "put", undefined],
	["PHP   3. Ledger->put() /srv/store/ledger.py:9", "put", undefined],
	["frame #1: 0x0000000100003f App`Ledger.put(self=0x1) at store/ledger.py:9:5", "put", undefined],
	["3   App   0x0000000100003f28 Ledger.put(_:) + 44 (store/ledger.py:9)", "put", undefined],
	[
		"--- a/store/ledger.py\n+++ b/store/ledger.py\n@@ -25,5 +25,4 @@\n def close(entry):\n     order = entry\n-    a = 1",
		"close",
		27,
	],
	[
		"--- a/store/ledger.py\n+++ b/store/ledger.py\n@@ -60,3 +60,2 @@ def put(entry):\n     order = entry\n-    a = 1",
		"put",
		undefined,
	],
];

test("a class and its method with a line lead to that line, or to the method where the file has changed since", async () => {
	for (const [query, name] of [
		["OrderTest.writes:6", "writes"],
		["OrderTest.writes:400 » NullPointer", "writes"],
		["OrderTest>BaseTest.check:12->OrderTest.drops:9", "drops"],
	] as const) {
		const [hit] = (await repository.search({ query, top: 1 })).hits;
		assert.equal(hit?.path, "service/src/test/java/org/shop/OrderTest.java", query);
		assert.equal(hit.name, name, query);
	}
	// A class without that method does not count.
	const elsewhere = await repository.search({ query: "Receipt.com:1", top: 1, explain: true });
	assert.ok((elsewhere.hits[0]?.scoreParts?.path ?? 0) < 10, JSON.stringify(elsewhere.hits[0]));
});

for (const [query, name, line] of PLACES) {
	test(`the lines that are named are shown: ${JSON.stringify(query)}`, async () => {
		const [hit] = (await repository.search({ query, top: 1 })).hits;
		assert.equal(hit?.path, "store/ledger.py");
		assert.equal(hit.name, name);
		if (line !== undefined) assert.ok(hit.snippet.matched.includes(line), JSON.stringify(hit.snippet));
	});
}

test("filters also apply to a file that is named with a line", async () => {
	const query = "order refused at store/ledger.py:16";
	const folders = async (path?: string): Promise<(string | undefined)[]> => {
		const { hits } = await repository.search({ query, ...(path !== undefined && { path }) });
		return [...new Set(hits.map((hit) => hit.path.split("/")[0]))];
	};
	assert.equal((await folders())[0], "store");
	assert.deepEqual(await folders("tools/**"), ["tools"]);
});
