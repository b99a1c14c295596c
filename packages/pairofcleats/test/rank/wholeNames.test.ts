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
