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

verifies(
	"002-skill-aligned",
	"the skill's prose names no command, function or word that the library lacks",
	async () => {
		const dist = join(ROOT, "packages/libmcp/dist");
		const declarations = readdirSync(dist, { recursive: true, encoding: "utf8" })
			.filter((file) => file.endsWith(".d.ts"))
			.map((file) => readFileSync(join(dist, file), "utf8"));
		// Tools and faults have their names in data, which the contracts of the library repeat.
		const contracts = join(ROOT, "contracts/libmcp");
		const data = readdirSync(contracts).map((file) => readFileSync(join(contracts, file), "utf8"));
		const known = new Set([...declarations, ...data].join("\n").match(/\w+/g));
		let names = 0;
		for (const { path, text } of pages) {
			const prose = text.replace(/^```[\s\S]*?^```/gm, "");
			for (const [, span = ""] of prose.matchAll(/`([^`]+)`/g)) {
				const [, command] = /^holdfast (\w+)/.exec(span) ?? [];
				if (command !== undefined) assert.ok(await loadCommand(command), `${path}: there is no command ${span}`);
				// A name of one plain word may be anybody's, unless it is called.
				for (const name of span.match(/\b(?:[a-z]+_\w+|[A-Za-z][a-z]+[A-Z]\w*|\w+(?=\())/g) ?? []) {
					names += 1;
					assert.ok(known.has(name), `${path}: the library has no ${name}`);
				}
			}
		}
		assert.ok(names >= 10, `${names} names`);
	},
);

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
