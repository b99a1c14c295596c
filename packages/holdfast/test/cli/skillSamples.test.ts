import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseContracts } from "libmcp";
import { verifies } from "../../../../e2e/verifies.ts";
import { loadCommand } from "../../src/cli/commands.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const SKILL = join(ROOT, "skills/mcp-bootstrap");
const run = promisify(execFile);

const pages = [
	join(SKILL, "SKILL.md"),
	...readdirSync(join(SKILL, "references")).map((name) => join(SKILL, "references", name)),
].map((path) => ({ path, text: readFileSync(path, "utf8") }));

function fences(language: string): string[] {
	const fence = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm");
	return pages.flatMap(({ text }) => [...text.matchAll(fence)].map(([, body = ""]) => body));
}

verifies(
	["002-skill-aligned", "002-skill-source-in-repo"],
	"every code sample of the skill type-checks against the library as it is built",
	async (t) => {
		const samples = fences("ts");
		assert.ok(samples.length >= 4);
		// Beneath node_modules, so that the samples import the library the way its users do.
		const folder = join(ROOT, "node_modules/.cache", `skill-samples-${process.pid}`);
		mkdirSync(folder, { recursive: true });
		t.after(() => rmSync(folder, { recursive: true, force: true }));
		for (const [index, body] of samples.entries()) writeFileSync(join(folder, `sample${index}.ts`), body);
		const config = {
			extends: join(ROOT, "tsconfig.base.json"),
			compilerOptions: { noEmit: true, composite: false, declaration: false, moduleDetection: "force" },
			include: ["*.ts"],
		};
		writeFileSync(join(folder, "package.json"), '{"type":"module"}');
		writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
		const tsc = join(ROOT, "node_modules/.bin/tsc");
		const { stdout } = await run(tsc, ["-p", folder]).catch((error: { stdout: string }) => error);
		assert.equal(stdout, "");
	},
	{ timeout: 120_000 },
);

verifies("002-skill-aligned", "the skill names no option that no command has", async () => {
	const help = await Promise.all(
		["host", "rollout", "status", "logs", "skill"].map(async (name) => (await loadCommand(name))?.help ?? ""),
	);
	const known = new Set(help.join("\n").match(/--[a-z][a-z-]+/g));
	for (const { path, text } of pages) {
		for (const option of text.match(/(?<=[\s`])--[a-z][a-z-]+/g) ?? []) {
			assert.ok(known.has(option), `${path}: no command has ${option}`);
		}
	}
});

test("the contract file the skill shows is one the host accepts", () => {
	const [sample = ""] = fences("json contract");
	const { tools } = parseContracts(JSON.parse(sample));
	assert.deepEqual(Object.keys(tools), ["search", "create_issue", "deploy", "select_project"]);
});

test("every page the skill links to is there", () => {
	for (const { path, text } of pages) {
		for (const [, link = ""] of text.matchAll(/\]\(([^)#]+)\)/g)) {
			assert.doesNotThrow(() => readFileSync(join(path, "..", link)), `${path}: ${link}`);
		}
	}
});
