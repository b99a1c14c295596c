import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { clientFindings } from "../../src/doctor/clientFindings.ts";

test("what a client starts of ours is told, and what has moved away since with how to mend it", (t) => {
	const home = mkdtempSync(join(tmpdir(), "holdfast-clients-"));
	t.after(() => rmSync(home, { recursive: true, force: true }));
	const place = { home, project: join(home, "p"), platform: "linux", appData: home, configHome: home } as const;
	assert.deepEqual(clientFindings(place, "holdfast"), []);

	mkdirSync(join(home, ".cursor"));
	const launcher = join(home, "holdfast.js");
	writeFileSync(launcher, "");
	const cursor = join(home, ".cursor/mcp.json");
	const node = process.execPath;
	const mcpServers = {
		holdfast: { command: node, args: [launcher, "serve"] },
		mine: { command: "/not/ours" },
		files: { command: node, args: ["/gone/holdfast.js", "host", "--name", "files", "--", "npx", "files"] },
	};
	writeFileSync(cursor, JSON.stringify({ mcpServers }));
	writeFileSync(join(home, ".claude.json"), '{"mcpServers":{"holdfast":{"command":"/gone/node","args":[]}}}');
	mkdirSync(join(home, ".gemini"));
	writeFileSync(join(home, ".gemini/settings.json"), "{");
	assert.deepEqual(
		clientFindings(place, "holdfast").map((finding) => [
			finding.subject,
			finding.verdict,
			finding.verdict === "good" ? finding.says : finding.remedy,
		]),
		[
			["claude-code", "bad", "holdfast install claude-code"],
			["cursor", "good", `${cursor}: holdfast starts the gateway`],
			["cursor", "bad", "holdfast wrap cursor --undo, then without --undo"],
			["gemini", "warn", "correct the file: Gemini CLI cannot read it either"],
		],
	);
});

test("a broken file is told once, though it has two lists", (t) => {
	const home = mkdtempSync(join(tmpdir(), "holdfast-clients-"));
	t.after(() => rmSync(home, { recursive: true, force: true }));
	const place = { home, project: join(home, "p"), platform: "linux", appData: home, configHome: home } as const;
	// It has a list for everybody and one for each project.
	writeFileSync(join(home, ".claude.json"), "{");
	assert.deepEqual(
		clientFindings(place, "holdfast").map(({ subject, verdict }) => [subject, verdict]),
		[["claude-code", "warn"]],
	);
});
