import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { faultyRemote } from "../fixtures/faultyRemote.ts";

const PROGRAM = join(import.meta.dirname, "../fixtures/starvedGateway.ts");
const LIMITED = 'ulimit -n 96; exec "$0" --disable-warning=ExperimentalWarning "$@"';

test("a gateway that is out of file descriptors says so, and does not blame the servers", {
	timeout: 120_000,
	skip: process.platform === "win32" ? "has no ulimit" : false,
}, async (t) => {
	const remote = await faultyRemote();
	t.after(() => remote.close());
	const { stdout } = await promisify(execFile)("/bin/sh", ["-c", LIMITED, process.execPath, PROGRAM, remote.spec.url]);
	const said = "the gateway's own process is out of file descriptors; raise its limit (ulimit -n)";
	assert.deepEqual(JSON.parse(stdout), [
		[said, "no_more_files"],
		[said, "connect_failed"],
	]);
});
