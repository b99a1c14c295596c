import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mentionsIn } from "../../src/rank/mentions.ts";

test("the frames of a stack trace name files by how their paths end", () => {
	const mentions = mentionsIn('  File "/usr/lib/python3/site-packages/app/store/query.py", line 3, in run');
	assert.equal(mentions?.("src/app/store/query.py"), 1);
	assert.equal(mentions?.("src/app/store/index.py"), 0);
});

test("a frame of another package names no file of the same name", () => {
	const installed = [
		"/venv/lib/python3.12/site-packages/docutils/utils/nodes.py",
		"/app/node_modules/express/lib/utils/nodes.py",
		"/root/go/pkg/mod/github.com/other/thing@v1.2.3/utils/nodes.py",
		"/home/u/.cargo/registry/src/index.crates.io-6f17/other-1.0.0/src/utils/nodes.py",
		"/usr/lib/ruby/gems/3.3.0/gems/other-1.0.0/lib/utils/nodes.py",
	];
	for (const path of installed) assert.equal(mentionsIn(path)?.("sphinx/utils/nodes.py"), 0, path);
	assert.equal(mentionsIn("/elsewhere/lib/nodes.py")?.("sphinx/utils/nodes.py"), 0.1);
});

test("a name alone is a weaker sign than a path", () => {
	assert.equal(mentionsIn("see nodes.py")?.("sphinx/utils/nodes.py"), 0.4);
	assert.equal(mentionsIn("see utils/nodes.py")?.("sphinx/utils/nodes.py"), 1);
	assert.equal(mentionsIn("see app/utils/nodes.py")?.("sphinx/utils/nodes.py"), 0.8);
});

test("the frame where it failed counts more than those that led there", () => {
	const python = mentionsIn(
		'Traceback (most recent call last):\n  File "app/main.py", line 1\n  File "app/run.py", line 2\n  File "app/fail.py", line 3',
	);
	assert.deepEqual(
		["app/fail.py", "app/run.py", "app/main.py"].map((path) => python?.(path)),
		[1, 0.85, 0.7],
	);
	const node = mentionsIn("at fail (app/fail.js:3:1)\n at run (app/run.js:2:1)\n at app/main.js:1:1");
	assert.deepEqual(
		["app/fail.js", "app/run.js", "app/main.js"].map((path) => node?.(path)),
		[1, 0.85, 0.7],
	);
});

test("a module written with dots, colons or backslashes is the file of that path, whatever is read from it", () => {
	for (const text of ["app.store.query.Query.run", "app::store::query::Query", "App\\store\\query"]) {
		assert.ok((mentionsIn(`calling ${text} twice fails`)?.("src/app/store/query.py") ?? 0) >= 0.8, text);
		assert.equal(mentionsIn(`calling ${text} twice fails`)?.("lib/query.py"), 0, text);
	}
});

test("a Java frame names the file of its class, however deep the package", () => {
	const mentions = mentionsIn("\tat org.example.a.b.c.d.e.Reader$Inner.next(Reader.java:41)");
	assert.equal(mentions?.("core/src/main/java/org/example/a/b/c/d/e/Reader.java"), 1);
	assert.equal(mentions?.("core/src/main/java/org/example/other/Reader.java"), 0.4);
});

test("a frame of compiled script names its source", () => {
	assert.equal(mentionsIn("at run (/app/lib/store/query.js:3:14)")?.("lib/store/query.ts"), 0.8);
});

test("a Windows path names the same file", () => {
	assert.equal(mentionsIn("at C:\\work\\app\\query.ts:3:14")?.("app/query.ts"), 1);
	assert.equal(mentionsIn("in C:\\work\\app\\Query.cs:line 3")?.("src/app/Query.cs"), 0.8);
});

test("a text without a path names nothing", () => {
	assert.equal(mentionsIn("how are failed requests retried"), undefined);
});

test("any text is read in bounded time", () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 2_000 }), (text) => {
			const sure = mentionsIn(text)?.("src/app/query.ts") ?? 0;
			return sure >= 0 && sure <= 1;
		}),
	);
	for (const piece of ["a", "a.", "a/", "./", "@-+", "_a.", "::", "a\\"])
		mentionsIn(piece.repeat(20_000))?.("src/app/query.ts");
});
