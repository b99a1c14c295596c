import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** An empty folder, removed when the test ends. */
export function temporaryFolder(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-test-"));
	t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	return folder;
}
