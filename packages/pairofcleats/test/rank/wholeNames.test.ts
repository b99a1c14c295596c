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
