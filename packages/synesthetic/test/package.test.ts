import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { verifies } from "../../../e2e/verifies.ts";
import { EXIT } from "../src/cli/terminal.ts";
import { CONTRACT_TOOLS, TOOLS } from "../src/server/tools/tools.ts";
import { VARIABLES } from "../src/settings.ts";
import { folder } from "./folder.ts";

const PACKAGE = resolve(import.meta.dirname, "..");
const ROOT = resolve(PACKAGE, "../..");
const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const docs = readFileSync(join(ROOT, "docs/synesthetic.md"), "utf8");

verifies("003-11-import-version", "importing the package gives the version of its manifest", async () => {
	const { version } = await import("synesthetic");
	assert.equal(version, manifest.version);
	assert.match(version, /^\d+\.\d+\.\d+$/);
});

verifies("003-8-runtime", "the package is ESM for a current Node and nothing it needs is compiled at install", () => {
	assert.equal(manifest.type, "module");
	assert.match(manifest.engines.node, /^>=22\./);
	const seen = new Set<string>();
	const visit = (name: string): void => {
		if (seen.has(name)) return;
		seen.add(name);
		const {
			dependencies = {},
			scripts = {},
			gypfile,
		} = JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8"));
		for (const hook of ["preinstall", "install", "postinstall"])
			assert.equal(scripts[hook], undefined, `${name} ${hook}`);
		assert.equal(gypfile, undefined, name);
		for (const dependency of Object.keys(dependencies)) visit(dependency);
	};
	visit("synesthetic");
	assert.ok(seen.has("libmcp"));
});

verifies("003-11-install", "one npm command installs the packed package, and it runs", (t) => {
	const target = folder(t, { "package.json": { name: "user", version: "1.0.0", private: true } });
	const npm = (cwd: string, ...args: string[]): string =>
		execFileSync("npm", args, { cwd, encoding: "utf8", timeout: 120_000, stdio: ["ignore", "pipe", "pipe"] });
	const pack = (name: string): string => {
		const [packed] = JSON.parse(
			npm(join(ROOT, "packages", name), "pack", "--json", "--ignore-scripts", "--pack-destination", target),
		);
		return join(target, packed.filename);
	};
	const libmcp = JSON.parse(readFileSync(join(ROOT, "packages/libmcp/package.json"), "utf8"));
	// What libmcp needs comes from this checkout, so that the test needs no registry.
	const foreign = Object.keys(libmcp.dependencies ?? {}).map((name) => join(ROOT, "node_modules", name));
	npm(
		target,
		"install",
		"--offline",
		"--ignore-scripts",
		"--no-audit",
		"--no-fund",
		pack("libmcp"),
		pack("synesthetic"),
		...foreign,
	);
	const bin = join(target, "node_modules/.bin/synesthetic");
	const run = (...args: string[]) =>
		spawnSync(bin, args, {
			cwd: target,
			encoding: "utf8",
			timeout: 120_000,
			input: '{"jsonrpc":"2.0","id":1,"method":"list_schemas"}\n',
			env: { ...process.env, MCP_READY_FILE: "" },
		});
	assert.equal(run("--version").stdout, `synesthetic ${manifest.version}\n`);
	assert.equal(run("--demo").status, 0);
	assert.match(run("--sample").stdout, /^\{"jsonrpc":"2\.0","id":1,"result":\{"ok":true,"schemas":\[\{"name":"haptic"/);
	const script =
		'import { diffDocuments, version } from "synesthetic"; console.log(version, JSON.stringify(diffDocuments(1, 2)));';
	const imported = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
		cwd: target,
		encoding: "utf8",
	});
	assert.equal(imported.stdout, `${manifest.version} [{"op":"replace","path":"","value":2}]\n`);
});

verifies("003-11-docs-match", "the documented tools, variables and exit codes are those of the code", () => {
	const section = (title: string): string => docs.split(/^## /m).find((part) => part.startsWith(title)) ?? "";
	const firstColumn = (text: string): string[] =>
		[...text.matchAll(/^\| `?([\w-]+)`? \|/gm)]
			.map(([, name = ""]) => name)
			.filter((name) => !/^(tool|variable|code|-+)$/.test(name));
	assert.deepEqual(firstColumn(section("Tools")), [...TOOLS.keys()]);
	assert.deepEqual(firstColumn(section("Tools")).slice(0, 7), Object.keys(CONTRACT_TOOLS));
	for (const [name, { input }] of TOOLS)
		for (const argument of Object.keys(input.properties ?? {}))
			assert.match(section("Tools"), new RegExp(`\`${name}\` \\|.*\`${argument}\``), `${name}.${argument}`);
	assert.deepEqual(firstColumn(section("Environment")), Object.keys(VARIABLES));
	for (const [name, { default: preset }] of Object.entries(VARIABLES))
		assert.ok(section("Environment").includes(`| \`${name}\` | ${preset === "" ? "" : `\`${preset}\` `}|`), name);
	assert.deepEqual(firstColumn(section("Exit codes")), Object.values(EXIT).map(String));
});

verifies("003-11-tests-pass", "the package's own tests are run by the one test command", () => {
	const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
	assert.equal(scripts.test, "node scripts/test.ts");
	assert.ok(readFileSync(join(ROOT, "scripts/test.ts"), "utf8").includes("packages/*/test/**/*.test.ts"));
});
