import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { Attachments } from "../../src/control/attach.ts";
import { host } from "../../src/control/host.ts";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"] as const;

for (const when of ["at once", "when its control socket is open"] as const) {
	test(`a host that is closed ${when} leaves no socket and no listener for signals`, async (t) => {
		const base = mkdtempSync(join(tmpdir(), "libmcp-attached-"));
		const { XDG_RUNTIME_DIR } = process.env;
		process.env.XDG_RUNTIME_DIR = base;
		t.after(() => {
			if (XDG_RUNTIME_DIR === undefined) delete process.env.XDG_RUNTIME_DIR;
			else process.env.XDG_RUNTIME_DIR = XDG_RUNTIME_DIR;
			rmSync(base, { recursive: true, force: true });
		});
		const listeners = (): number[] => SIGNALS.map((signal) => process.listenerCount(signal));
		const sockets = (): string[] => (existsSync(base) ? readdirSync(base, { recursive: true }).map(String) : []);
		const before = listeners();
		const closed = host({ name: "gone", command: "cat", client: { deliver() {} }, control: true, signals: true });
		assert.notDeepEqual(listeners(), before);
		if (when !== "at once") await until(() => sockets().some((name) => name.endsWith(".sock")), "its socket is open");
		await closed.close();
		assert.deepEqual(listeners(), before);
		const next = host({ name: "next", command: "cat", client: { deliver() {} }, control: true });
		await until(() => sockets().some((name) => name.includes("next.")), "a socket that was asked for later is open");
		await next.close();
		assert.deepEqual(
			sockets().filter((name) => name.endsWith(".sock")),
			[],
		);
	});
}

test("what is attached after the end is stopped at once, and everything only once", () => {
	const stopped: string[] = [];
	const attachments = new Attachments();
	attachments.add(() => stopped.push("early"));
	attachments.close();
	attachments.add(() => stopped.push("late"));
	assert.deepEqual(stopped, ["early", "late"]);
	attachments.close();
	assert.deepEqual(stopped, ["early", "late"]);
});
