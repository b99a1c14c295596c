import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { watchPath } from "../../src/command/watchPath.ts";

const isWindows = process.platform === "win32";

test("a change of a file is seen through links, and so is that of a link on the way", {
	skip: isWindows,
}, async (t) => {
	const folder = temporary(t);
	for (const name of ["etc", "dotfiles", "other"]) mkdirSync(join(folder, name));
	for (const name of ["dotfiles", "other"]) writeFileSync(join(folder, name, "real.json"), "1");
	symlinkSync("dotfiles", join(folder, "chosen"));
	symlinkSync("../chosen/real.json", join(folder, "etc/conf.json"));
	const sees = watched(t, join(folder, "etc/conf.json"));
	await sees("what is written into it", () => writeFileSync(join(folder, "dotfiles/real.json"), "2"));
	await sees("its replacement", () => {
		writeFileSync(join(folder, "dotfiles/new"), "3");
		renameSync(join(folder, "dotfiles/new"), join(folder, "dotfiles/real.json"));
	});
	await sees("what is written into the replacement", () => writeFileSync(join(folder, "dotfiles/real.json"), "4"));
	await sees("another folder", () => relink("other", join(folder, "chosen")));
	await sees("what is written there", () => writeFileSync(join(folder, "other/real.json"), "5"));
	await sees("another file", () => relink("../dotfiles/real.json", join(folder, "etc/conf.json")));
	await sees("its removal", () => rmSync(join(folder, "dotfiles/real.json")));
	await sees("its return", () => writeFileSync(join(folder, "dotfiles/real.json"), "6"));
});

test("a file that Kubernetes mounts from a ConfigMap is seen to change with each update", {
	skip: isWindows,
}, async (t) => {
	const folder = temporary(t);
	const update = (edition: string): void => {
		mkdirSync(join(folder, edition));
		writeFileSync(join(folder, edition, "gateway.json"), edition);
		relink(edition, join(folder, "..data"));
	};
	update("..2026_1");
	symlinkSync("..data/gateway.json", join(folder, "gateway.json"));
	const sees = watched(t, join(folder, "gateway.json"));
	for (const [old, next] of [
		["..2026_1", "..2026_2"],
		["..2026_2", "..2026_3"],
	] as const) {
		await sees(next, () => {
			update(next);
			rmSync(join(folder, old), { recursive: true });
		});
	}
});

test("a folder reached by a link is watched again when the link leads elsewhere", { skip: isWindows }, async (t) => {
	const folder = temporary(t);
	for (const name of ["1", "2"]) mkdirSync(join(folder, name));
	symlinkSync("1", join(folder, "current"));
	const sees = watched(t, join(folder, "current"));
	await sees("a file in it", () => writeFileSync(join(folder, "1/a"), "1"));
	await sees("the other folder", () => relink("2", join(folder, "current")));
	await sees("a file in that", () => writeFileSync(join(folder, "2/a"), "1"));
});

test("links that lead in a circle are watched until they lead somewhere", { skip: isWindows }, async (t) => {
	const folder = temporary(t);
	symlinkSync("b", join(folder, "a"));
	symlinkSync("a", join(folder, "b"));
	writeFileSync(join(folder, "c"), "1");
	const sees = watched(t, join(folder, "a"));
	await sees("the way out", () => relink("c", join(folder, "b")));
});

/** Returns a function that makes a change and waits until it is told. */
function watched(t: TestContext, path: string): (what: string, change: () => void) => Promise<void> {
	let changes = 0;
	const stop = watchPath(path, { touched: () => changes++, failed: (error) => assert.fail(error) });
	t.after(stop);
	return async (what, change) => {
		// One change may be told more than once; what is still to come must not count for the next.
		await delay(100);
		const before = changes;
		change();
		await until(() => changes > before, what);
	};
}

function relink(to: string, link: string): void {
	symlinkSync(to, `${link}.new`);
	renameSync(`${link}.new`, link);
}

function temporary(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-links-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
