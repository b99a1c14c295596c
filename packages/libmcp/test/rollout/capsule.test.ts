import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { removeCapsule } from "../../src/rollout/capsule.ts";

test("a capsule that somebody else has removed is as good as removed", () => {
	removeCapsule(join(tmpdir(), "libmcp-no-such-capsule"));
});

test("a capsule of which the system takes only a part is refused where it is written", {
	skip: process.platform === "win32" ? "a POSIX shell" : false,
}, (t) => {
	const runtime = mkdtempSync(join(tmpdir(), "libmcp-half-capsule-"));
	t.after(() => rmSync(runtime, { recursive: true, force: true }));
	const module = new URL("../../src/rollout/capsule.ts", import.meta.url).href;
	const write = `
		const { writeCapsule } = await import(${JSON.stringify(module)});
		try {
			writeCapsule({ text: "x".repeat(100_000) });
		} catch ({ code }) {
			console.log(code);
		}`;
	const node = [process.execPath, "--disable-warning=ExperimentalWarning", "--input-type=module", "-e", write];
	const { stdout } = spawnSync("sh", ["-c", 'ulimit -f 8; exec "$0" "$@"', ...node], {
		env: { ...process.env, XDG_RUNTIME_DIR: runtime },
		encoding: "utf8",
	});
	assert.equal(stdout, "EFBIG\n");
	assert.deepEqual(readdirSync(join(runtime, "holdfast")), []);
});
