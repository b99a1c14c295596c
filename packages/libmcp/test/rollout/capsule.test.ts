import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { removeCapsule } from "../../src/rollout/capsule.ts";

test("a capsule that somebody else has removed is as good as removed", () => {
	removeCapsule(join(tmpdir(), "libmcp-no-such-capsule"));
});
