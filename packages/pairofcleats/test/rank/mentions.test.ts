import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readMentions } from "../../src/rank/mentions/mentions.ts";

function sureness(text: string, path: string): number {
	return readMentions(text)?.of(path)?.sureness ?? 0;
}

function placesIn(text: string, path: string): [line: number, ...names: string[]][] {
	return (readMentions(text)?.of(path)?.places ?? []).map(({ place: { line, names } }) => [line, ...names]);
}

test("the frames of a stack trace match files by the end of their paths", () => {
	const frame = '  File "/usr/lib/python3/site-packages/app/store/query.py", line 3, in run';
	assert.equal(sureness(frame, "src/app/store/query.py"), 1);
	assert.equal(sureness(frame, "src/app/store/index.py"), 0);
});

test("a frame of another package does not match a file of the same name", () => {
	const installed = [
		"/venv/lib/python3.12/site-packages/docutils/utils/nodes.py",
		"/app/node_modules/express/lib/utils/nodes.py",
		"/root/go/pkg/mod/github.com/other/thing@v1.2.3/utils/nodes.py",
		"/home/u/.cargo/registry/src/index.crates.io-6f17/other-1.0.0/src/utils/nodes.py",
		"/usr/lib/ruby/gems/3.3.0/gems/other-1.0.0/lib/utils/nodes.py",
	];
	for (const path of installed) assert.equal(sureness(path, "sphinx/utils/nodes.py"), 0, path);
	assert.equal(sureness("/elsewhere/lib/nodes.py", "sphinx/utils/nodes.py"), 0.1);
});

test("a file of a Dart package is one of the package's folder lib", () => {
	const frame = "#1      Ledger.put (package:shop/ledger.dart:9:12)";
	assert.equal(sureness(frame, "lib/ledger.dart"), 1);
	assert.equal(sureness(frame, "packages/shop/lib/ledger.dart"), 1);
	assert.equal(sureness(frame, "test/ledger.dart"), 0.1);
	assert.deepEqual(placesIn(frame, "lib/ledger.dart"), [[9, "Ledger", "put"]]);
});

test("what a bundler puts behind a path does not hide the line", () => {
	const frame = "    at put (http://localhost:5173/src/ledger.vue?t=1700000000000&v=a:9:5)";
	assert.deepEqual(placesIn(frame, "src/ledger.vue"), [[9, "put", "http", "localhost"]]);
});

test("a name alone is a weaker sign than a path", () => {
	assert.equal(sureness("see nodes.py", "sphinx/utils/nodes.py"), 0.4);
	assert.equal(sureness("see utils/nodes.py", "sphinx/utils/nodes.py"), 1);
	assert.equal(sureness("see app/utils/nodes.py", "sphinx/utils/nodes.py"), 0.8);
});

test("frames are numbered from the one where it failed", () => {
	const python = readMentions(
		'Traceback (most recent call last):\n  File "app/main.py", line 1\n  File "app/run.py", line 2\n  File "app/fail.py", line 3',
	);
	assert.deepEqual(
		["app/fail.py", "app/run.py", "app/main.py"].map((path) => python?.of(path)?.frame),
		[0, 1, 2],
	);
	const node = readMentions("at fail (app/fail.js:3:1)\n at run (app/run.js:2:1)\n at app/main.js:1:1");
	assert.deepEqual(
		["app/fail.js", "app/run.js", "app/main.js"].map((path) => node?.of(path)?.frame),
		[0, 1, 2],
	);
});

test("a module name with dots, colons or backslashes matches the file of that path", () => {
	for (const text of ["app.store.query.Query.run", "app::store::query::Query", "App\\store\\query"]) {
		assert.ok(sureness(`calling ${text} twice fails`, "src/app/store/query.py") >= 0.8, text);
		assert.equal(sureness(`calling ${text} twice fails`, "lib/query.py"), 0, text);
	}
});

test("a Java frame names the file of its class, however deep the package", () => {
	const frame = "\tat org.example.a.b.c.d.e.Reader$Inner.next(Reader.java:41)";
	assert.equal(sureness(frame, "core/src/main/java/org/example/a/b/c/d/e/Reader.java"), 1);
	assert.equal(sureness(frame, "core/src/main/java/org/example/other/Reader.java"), 0.4);
});

test("a frame of compiled script names its source", () => {
	assert.equal(sureness("at run (/app/lib/store/query.js:3:14)", "lib/store/query.ts"), 0.8);
});

test("a Windows path names the same file", () => {
	assert.equal(sureness("at C:\\work\\app\\query.ts:3:14", "app/query.ts"), 1);
	assert.equal(sureness("in C:\\work\\app\\Query.cs:line 3", "src/app/Query.cs"), 0.8);
});

test("a place is read however a language writes it, with the words beside it", () => {
	const places: readonly (readonly [text: string, line: number, ...names: string[]])[] = [
		['  File "/srv/app/query.x", line 31, in run', 31, "run"],
		["    at Store.run (/srv/app/query.x:31:14)", 31, "Store", "run"],
		["run@http://localhost:80/app/query.x:31:14", 31],
		["\tat org.app.Store.run(query.x:31)", 31, "org", "app", "Store", "run"],
		["/srv/app/query.x:31:in `run!'", 31, "run!"],
		["#0 /srv/app/query.x(31): Store->run()", 31, "Store", "run"],
		["thrown in /srv/app/query.x on line 31", 31],
		["   at App.Store.Run() in C:\\app\\query.x:line 31", 31, "App", "Store", "Run", "C"],
		["#1 0x00007f in run (data=0x55) at ../../app/query.x:31", 31, "run", "data"],
		["==9==    by 0x48B1A20: run (query.x:31)", 31, "run"],
		["   3: app::store::run\n             at ./app/query.x:31:9", 31, "app", "store", "run"],
		["app/store.(*Store).Run(0x0)\n\t/build/app/query.x:31 +0x1d", 31, "app", "store", "Store", "Run"],
		["app/query.x(31,5): error", 31],
		["[ERROR] /srv/app/query.x:[31,15] cannot find symbol", 31],
		["e: /srv/app/query.x: (31, 5): Unresolved reference", 31],
		["app/query.x:(31,5)-(33,9): warning", 31],
		["app/query.x: line 31: jq: command not found", 31],
		["app/query.x: 31: jq: not found", 31],
		["ERROR in ./app/query.x 31:5-8", 31],
		["[query.x : 31] RAW: Check failed", 31],
		["app/query.x|31 col 5| error", 31],
		["::error file=app/query.x,line=31,col=5::expected", 31],
		['[{store,run,2,[{file,"app/query.x"},{line,31}]}]', 31],
		["what do lines 31-40 of app/query.x do", 31],
		["app/query.x (line 31) never returns", 31],
		["app/query.x, lines 31 to 40", 31],
		["TypeError\n    at file:///srv/app/query.x:31:14", 31],
		["/srv/app/query.x\n  31:7   error  'a' is never used  no-unused-vars", 31],
		[" ------ ----\n  Line   app/query.x \n ------ ----\n  31     Undefined variable: $a", 31],
		["https://host/me/it/blob/0123abc/app/query.x#L31-L40", 31],
		["--- a/app/query.x\n+++ b/app/query.x\n@@ -28,7 +28,8 @@ class Store\n a\n b\n c\n-d\n+e", 31],
	];
	for (const [text, line, ...names] of places) {
		const [place] = placesIn(text, "app/query.x");
		assert.equal(place?.[0], line, text);
		for (const name of names) assert.ok(place?.includes(name), `${name} in ${text}`);
	}
	// A name without an extension is a file if a line number follows it.
	assert.deepEqual(placesIn("make: *** [Makefile:31: all] Error 2", "Makefile"), [[31]]);
	assert.deepEqual(placesIn("libexec/run-all: line 31: jq: command not found", "libexec/run-all"), [[31]]);
	assert.deepEqual(placesIn("see libexec/run-all and app/query.x", "libexec/run-all"), []);
	// Rows belong to the path above them, not to one that is only mentioned.
	assert.deepEqual(placesIn("app/query.x failed\n  31:7   error  never used", "app/query.x"), []);
	// The scheme before a path is not a function name.
	assert.deepEqual(placesIn("    at file:///srv/app/query.x:31:14", "app/query.x"), [[31]]);
	// The function of the previous frame does not belong to this one.
	assert.deepEqual(placesIn("at run (app/run.js:2:1)\nat app/query.js:1:1", "app/query.js"), [[1]]);
	assert.deepEqual(placesIn("the run of app/query.x:31 fails", "app/query.x"), [[31]]);
	assert.deepEqual(placesIn("app/query.x: 31 files, 2 lines in app/query.x", "app/query.x"), []);
	assert.deepEqual(placesIn("10:31 app/query.x failed at 12:30", "app/query.x"), []);
});

test("routes with brackets, and tests of a file, name the file", () => {
	assert.equal(sureness("at /srv/app/pages/[id].tsx:3:1", "app/pages/[id].tsx"), 1);
	assert.equal(sureness("at run (/srv/app/(shop)/$slug.tsx:3:1)", "app/(shop)/$slug.tsx"), 1);
	assert.equal(sureness("QueryTest#test_run [test/query_test.rb:3]:", "test/query_test.rb"), 1);
	assert.equal(sureness("FAILED tests/test_query.py::TestQuery::test_run - assert 1 == 2", "tests/test_query.py"), 1);
});

test("files included by a C compiler rank after the one that failed", () => {
	const mentions = readMentions(
		"In file included from lib/setup.h:12,\n                 from lib/easy.c:25:\nlib/url.h:31:5: error: unknown type",
	);
	assert.deepEqual(
		["lib/url.h", "lib/setup.h", "lib/easy.c"].map((path) => mentions?.of(path)?.frame),
		[0, 1, 2],
	);
});

test("a class and its method with a line lead to the file called after the class, as Maven names what failed", () => {
	for (const text of [
		"QueryTest.run:31",
		"[ERROR]   QueryTest.run:31 expected:<1> but was:<2>",
		"[ERROR] SlowTest>QueryTest.run:31 » NullPointer",
		"[ERROR] org.app.QueryTest.run:31",
	]) {
		assert.deepEqual(placesIn(text, "src/test/java/org/app/QueryTest.java"), [[31, "run"]], text);
		// Whether it has that method is not known here.
		assert.equal(sureness(text, "src/test/java/QueryTest.java"), 0, text);
	}
	for (const text of ["example.com:443", "queryTest.run:31", "QueryTest.run fails", "QueryTest.Run:31"]) {
		assert.deepEqual(placesIn(text, "com/QueryTest.java"), [], text);
	}
});

test("a text without a path matches no file", () => {
	assert.equal(readMentions("how are failed requests retried"), undefined);
});

test("any text is read in bounded time", () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 2_000 }), (text) => {
			const sure = sureness(text, "src/app/query.ts");
			return sure >= 0 && sure <= 1;
		}),
	);
	for (const piece of [
		"a",
		"a.",
		"a/",
		"./",
		"@-+",
		"_a.",
		"::",
		"a\\",
		"a.b:1 ",
		"/[a",
		"/(",
		"a/b,",
		"from ",
		".a::",
		"\n1:1 ",
	])
		sureness(piece.repeat(20_000), "src/app/query.ts");
});
