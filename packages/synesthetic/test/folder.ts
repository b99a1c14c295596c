import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

/** A temporary folder with these files, gone after the test. Values other than strings are written as JSON. */
export function folder(context: TestContext, files: Readonly<Record<string, unknown>> = {}): string {
	const root = mkdtempSync(join(tmpdir(), "synesthetic-"));
	context.after(() => rmSync(root, { recursive: true, force: true }));
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
	}
	return root;
}

/** The value with everything in it frozen, so that whoever writes into it fails. */
export function deepFrozen<T>(value: T): T {
	const pending: unknown[] = [value];
	for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
		if (typeof part === "object" && part !== null && !Object.isFrozen(part))
			for (const inner of Object.values(Object.freeze(part))) pending.push(inner);
	}
	return value;
}
