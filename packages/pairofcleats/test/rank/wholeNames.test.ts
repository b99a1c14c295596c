import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

test("a name comes first where it is written whole, though nothing defines it and others are called after its parts", async () => {
	const { repository, remove } = await fixtureOf({
		"src/segmentMarker.ts": "export type SegmentMarker = { readonly line: number };\n",
		"src/marker.ts": "export function marker(line: number): number {\n\treturn line;\n}\n",
		"docs/guide.md": "# Words\n\nWho writes `rolloverMarker` in a comment is told so.\n\n# More\n\nOther words.\n",
	});
	try {
		for (const query of ["rolloverMarker", "rollover_marker"]) {
			const { hits } = await repository.search({ query, mode: "all" });
			assert.equal(hits[0]?.path, "docs/guide.md", query);
			assert.ok(
				hits.some(({ path }) => path === "src/marker.ts"),
				"what has a part of it is found still",
			);
		}
	} finally {
		await remove();
	}
});

test("a name of single letters and digits between dashes is found where it is written", async () => {
	const { repository, remove } = await fixtureOf({
		"notes.md": "# Work\n\nThe ticket T-1 is done.\n",
		"other.md": "# Work\n\nThe ticket T-12 is not, nor is 1 T.\n",
		"data.jsonl": '{"ticket":"T-1"}\n{"ticket":"T-2"}\n',
	});
	try {
		const { hits, warnings } = await repository.search({ query: "T-1", mode: "all", ann: false });
		assert.deepEqual(hits.map(({ path, startLine }) => [path, startLine]).sort(), [
			["data.jsonl", 1],
			["notes.md", 1],
		]);
		assert.deepEqual(warnings, []);
	} finally {
		await remove();
	}
});

test("a name with dashes comes first where it is defined, written or read, not where its words stand apart", async () => {
	const apart = Array.from(
		{ length: 30 },
		(_, index) => `\t// the close of btn ${index}, a max of depth, retry of policy`,
	);
	const { repository, remove } = await fixtureOf({
		"src/depth.ts": `export function maximum(depth: number): number {\n${apart.join("\n")}\n\treturn depth;\n}\n`,
		"src/close.ts": `export function close(btn: string): string {\n${apart.join("\n")}\n\treturn btn;\n}\n`,
		"src/policy.ts": `export function retry(policy: string): string {\n${apart.join("\n")}\n\treturn policy;\n}\n`,
		"src/options.ts": `export function readOptions(): unknown {\n\treturn { maxDepth: 3 };\n}\n`,
		"src/help.ts": `export const HELP = "--dry-run: change nothing";\n`,
		"src/dry.ts": "export function run(dry: boolean): boolean {\n\t// a dry run, run dry\n\treturn dry;\n}\n",
		"src/retry-policy.ts": "export function attempts(): number {\n\treturn 3;\n}\n",
		"styles/buttons.scss": ".card {\n\t.btn-close { margin: 0; }\n}\n",
		"styles/all.scss": ".btn-close {\n\tpadding: 0;\n}\n",
		"styles/mixins.scss": "@mixin border-top-radius($radius) {\n\tborder-top-left-radius: $radius;\n}\n",
		"styles/border.scss":
			".border {\n\tborder-top: 1px;\n\tborder-radius: 2px;\n\t@include border-top-radius(1px);\n}\n",
	});
	try {
		for (const [query, path] of [
			["btn-close", "styles/all.scss"],
			[".btn-close", "styles/all.scss"],
			["--max-depth", "src/options.ts"],
			["max-depth", "src/options.ts"],
			["--dry-run", "src/help.ts"],
			["retry-policy", "src/retry-policy.ts"],
			["border-top-radius", "styles/mixins.scss"],
		] as const) {
			const { hits } = await repository.search({ query, ann: false });
			assert.equal(hits[0]?.path, path, `${query}: ${hits.map((hit) => hit.path).join(", ")}`);
		}
		const { hits } = await repository.search({ query: "btn-close", ann: false });
		assert.ok(
			hits.some(({ path }) => path === "src/close.ts"),
			"what has its words apart is found still",
		);
	} finally {
		await remove();
	}
});

test("a name with its owners comes first where it is written so, if nothing declares what they own", async () => {
	const apart = Array.from(
		{ length: 30 },
		(_, index) => `\t// fields of ${index}, a field, E304 of another, a join of os`,
	);
	const { repository, remove } = await fixtureOf({
		"src/fields.ts": `export function fields(count: number): number {\n${apart.join("\n")}\n\treturn count;\n}\n`,
		"src/admin.ts": `export function checkAdmin(): string {\n${apart.join("\n")}\n\treturn "admin.E304";\n}\n`,
		"src/related.ts": `export function checkClash(): string {\n\treturn "fields.E304";\n}\n`,
		"src/app/store.ts": "export function open(): number {\n\treturn 1;\n}\n",
		"docs/store.md": "# Store\n\nSee app.store, store.ts and app.store.open for more.\n",
	});
	try {
		for (const [query, path] of [
			["fields.E304", "src/related.ts"],
			["fields.e304", "src/related.ts"],
			["app.store", "src/app/store.ts"],
			["app.store.open", "src/app/store.ts"],
			["store.ts", "src/app/store.ts"],
		] as const) {
			const { hits } = await repository.search({ query, ann: false });
			assert.equal(hits[0]?.path, path, `${query}: ${hits.map((hit) => hit.path).join(", ")}`);
		}
		const { hits } = await repository.search({ query: "fields.E304", ann: false });
		assert.deepEqual(hits[0]?.snippet.matched, [2]);
		assert.ok(
			hits.some(({ path }) => path === "src/admin.ts"),
			"what has a part of it is found still",
		);
	} finally {
		await remove();
	}
});

test("in a file that has a name whole, the chunk that has it comes before those that are called after its parts", async () => {
	const steps = Array.from({ length: 40 }, (_, index) => `\tconst waited${index} = result + ${index};`);
	const { repository, remove } = await fixtureOf({
		"src/transfer.ts": `export function retried(result: number): boolean {
${steps.join("\n")}
	return result === E_OPERATION_TIMEDOUT || waited1 > 3;
}

export function operation(operations: string[]): string {
	// the operation of operations, one operation timed out
	return operations.join();
}
`,
	});
	try {
		const { hits } = await repository.search({ query: "E_OPERATION_TIMEDOUT", ann: false });
		assert.deepEqual(
			hits.map(({ name }) => name),
			["retried", "operation"],
		);
	} finally {
		await remove();
	}
});

test("a setting comes first where a heading names it, in the page that also lists it", async () => {
	const { repository, remove } = await fixtureOf({
		"docs/settings.md":
			"# All\n\n- `app.job_queue_size` is 3\n- `app.other` is 4\n\n# `app.job_queue_size`\n\nHow many wait, at most, until others are refused.\n",
	});
	try {
		const { hits } = await repository.search({ query: "app.job_queue_size", ann: false });
		assert.deepEqual(
			hits.map(({ startLine }) => startLine),
			[6, 1],
		);
	} finally {
		await remove();
	}
});

test("a route or a media type comes first where it is written so", async () => {
	const apart = Array.from(
		{ length: 20 },
		(_, index) => `\t// ids of users, the id of user ${index}, text of an event`,
	);
	const { repository, remove } = await fixtureOf({
		"src/users.ts": `export function users(id: number): number {\n${apart.join("\n")}\n\treturn id;\n}\n`,
		"src/serve.ts": `export function serve(app: App): void {\n\tapp.use(log);\n\tapp.get("/users/{id}", read);\n}\n`,
		"src/send.ts": `export function send(): string {\n\treturn "text/event-stream";\n}\n`,
		"src/api/orders.ts": "export function all(): number {\n\treturn 1;\n}\n",
		"src/links.ts": `export const LINK = "see api/orders for more";\n`,
	});
	try {
		for (const [query, path] of [
			["/users/{id}", "src/serve.ts"],
			["text/event-stream", "src/send.ts"],
			["api/orders", "src/api/orders.ts"],
		] as const) {
			const { hits } = await repository.search({ query, ann: false });
			assert.equal(hits[0]?.path, path, `${query}: ${hits.map((hit) => hit.path).join(", ")}`);
		}
		const { hits } = await repository.search({ query: "/users/{id}", ann: false });
		assert.deepEqual(hits[0]?.snippet.matched, [3]);
	} finally {
		await remove();
	}
});

test("a name of another package comes first where it is used, not where the repository declares its last part", async () => {
	const { repository, remove } = await fixtureOf({
		"shop/lists.py": "class Lists:\n    def join(self, other):\n        return self.path.join(other)\n",
		"shop/files.py": "import os\n\n\ndef folder(name):\n    return os.path.join('files', name)\n",
		"shop/store.py": "from shop import lists\n\n\ndef both(a, b):\n    return lists.join(a, b)\n",
	});
	try {
		for (const [query, path] of [
			["os.path.join", "shop/files.py"],
			["lists.join", "shop/lists.py"],
			["items.join", "shop/lists.py"],
		] as const) {
			const { hits } = await repository.search({ query, ann: false });
			assert.equal(hits[0]?.path, path, `${query}: ${hits.map((hit) => hit.path).join(", ")}`);
		}
	} finally {
		await remove();
	}
});

test("a few words that make up a declared name find its declaration first", async () => {
	const calls = (name: string): string =>
		Array.from(
			{ length: 12 },
			(_, index) => `\t// the time to parse ${index}, a parse of time\n\t${name}(${index});`,
		).join("\n");
	const { repository, remove } = await fixtureOf({
		"src/time.ts": `export function timeToParse(): void {\n${calls("parse")}\n}\n`,
		"src/parse.ts": `export function parseAll(): void {\n${calls("time")}\n}\n`,
		"src/format.ts": "export function print(): void {}\n\nexport function ParseTime(): void {}\n",
		"src/clock.py": "def tick():\n    pass\n\n\ndef next_tick():\n    pass\n",
	});
	try {
		for (const [query, name] of [
			["parse time", "ParseTime"],
			["how to parse a time", "ParseTime"],
			["next tick", "next_tick"],
		] as const) {
			const { hits } = await repository.search({ query, ann: false });
			assert.equal(hits[0]?.name, name, `${query}: ${hits.map((hit) => hit.name).join(", ")}`);
		}
	} finally {
		await remove();
	}
});

test("a file comes first by its path, or by its name if no other has it, whatever its kind", async (t) => {
	const reader = (name: string) =>
		`/** Reads errors.json: the errors of json. */\nexport function ${name}(json) {\n\treturn json.errors;\n}\n`;
	const { repository, remove } = await fixtureOf({
		"errors.json": '{ "1": "No value" }\n',
		"scripts/errors.js": reader("readErrors"),
		"scripts/errorsJson.js": reader("errorsJson"),
		"src/index.ts": "export { readErrors } from './errors.ts';\n",
		"examples/index/src/index.ts": `import './src/index.ts';\n${reader("index")}`,
		"lib/grammar.pyx": "cdef int grammar():\n    return 1\n",
		"lib/grammar.py": "def grammar():\n    return 1\n\ndef pyx():\n    return 2\n",
	});
	t.after(remove);
	for (const path of ["errors.json", "src/index.ts", "examples/index/src/index.ts", "lib/grammar.pyx"])
		assert.equal((await repository.search({ query: path })).hits[0]?.path, path);
	assert.equal((await repository.search({ query: "grammar.pyx" })).hits[0]?.path, "lib/grammar.pyx");
});
