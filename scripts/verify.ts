// Everything but the tests: lint, types, the repository's own rules, contracts, requirements, examples.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { COMPILED, ROOT, run } from "./run.ts";

process.env.NODE_COMPILE_CACHE ??= COMPILED;

const examples = readdirSync(join(ROOT, "examples"), { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map((entry) => `examples/${entry.name}/main.ts`);

const steps: readonly (readonly [name: string, args: readonly string[]])[] = [
	["lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--max-diagnostics=40", "."]],
	["types", ["node_modules/typescript/bin/tsc", "-b"]],
	["types of tests", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.test.json"]],
	["types of the console", ["node_modules/typescript/bin/tsc", "-p", "packages/holdfast/tsconfig.console.json"]],
	["repository rules", ["scripts/check-repo.ts"]],
	["contracts", ["scripts/contracts.ts"]],
	["requirements", ["scripts/requirements.ts"]],
	...examples.map((file) => [file, ["--disable-warning=ExperimentalWarning", file]] as const),
];

const failed: string[] = [];
for (const [name, args] of steps) {
	console.log(`\n— ${name}`);
	if (run("node", args) !== 0) failed.push(name);
}
console.log(failed.length === 0 ? "\nverify: all steps passed" : `\nverify: failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
