import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { buildIndex, updateIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { indexFolder } from "../../src/store/indexFolder.ts";

const NO_SHELL = process.platform === "win32" && "the program that ends is a shell script";

const node = process.execPath;
const base = mkdtempSync(join(tmpdir(), "pairofcleats-"));
const [root, cacheRoot] = [join(base, "repo"), join(base, "cache")];
const options = { root, folder: indexFolder(cacheRoot, root) };

after(() => {
	process.execPath = node;
	rmSync(base, { recursive: true, force: true });
});

/** Lets the next processes of the parser end as soon as they start. */
function endNext(times: number): void {
	const program = join(base, "node");
	writeFileSync(`${program}.left`, "x".repeat(times));
	writeFileSync(
		program,
		`#!/bin/sh\nleft=$(cat "$0.left")\n[ -n "$left" ] || exec '${node}' "$@"\nprintf %s "\${left#x}" > "$0.left"\nexit 9\n`,
	);
	chmodSync(program, 0o755);
	process.execPath = program;
}

async function told(): Promise<unknown> {
	const repository = openRepository(root, { cacheRoot, model: null, freshnessMs: 60_000 });
	try {
		const { parse, stale, skipped, warnings } = await repository.status();
		return { parse, changed: stale.changed, skipped: skipped.parserEnded, warnings };
	} finally {
		await repository.close();
	}
}

const WARNING = "the parser ended twice at a.sh: indexed by lines, and tried again at the next update";

test("a file whose parser ended twice is indexed by lines, told of, and parsed by the next update", {
	skip: NO_SHELL,
}, async () => {
	mkdirSync(root);
	writeFileSync(join(root, "a.sh"), "greet() {\n\techo hello\n}\n");
	endNext(2);
	assert.deepEqual((await buildIndex(options)).warnings, [WARNING]);
	assert.deepEqual(await told(), {
		parse: { grammar: 0, format: 0, lines: 1 },
		changed: 0,
		skipped: undefined,
		warnings: [WARNING],
	});
	// This time one process ends, so that the second parses the file.
	endNext(1);
	const { files, warnings } = await updateIndex(options);
	assert.deepEqual([files.indexed, warnings], [1, []]);
	assert.deepEqual(await told(), {
		parse: { grammar: 1, format: 0, lines: 0 },
		changed: 0,
		skipped: undefined,
		warnings: [],
	});
	assert.equal((await updateIndex(options)).files.unchanged, 1);
});
