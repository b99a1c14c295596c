// Compares the frozen snapshots in contracts/ with what the built packages say; `--write` is the only way to change one.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./run.ts";

type Snapshot = { readonly file: string; readonly value: unknown };

const write = process.argv.includes("--write");
/** Why a package would not say its contracts: they changed by more than its version admits. */
const refusals: string[] = [];
const snapshots = [...(await exportedNames()), ...(await packageContracts())];
let changed = 0;
for (const { file, value } of snapshots) {
	const path = join(ROOT, "contracts", file);
	const now = `${JSON.stringify(value, null, 2)}\n`;
	const frozen = existsSync(path) ? readFileSync(path, "utf8") : "";
	if (now === frozen) continue;
	changed += 1;
	if (write) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, now);
		console.log(`wrote contracts/${file}`);
	} else {
		console.error(`contracts/${file} no longer matches the code:\n${difference(frozen, now)}`);
	}
}
if (changed > 0 && !write)
	console.error("If the change is meant, run `npm run contracts -- --write` and let the diff be reviewed.");
else console.log(`${snapshots.length} contracts, ${changed} ${write ? "written" : "changed"}`);
for (const refusal of refusals) console.error(refusal);
process.exit((changed > 0 && !write) || refusals.length > 0 ? 1 : 0);

async function exportedNames(): Promise<Snapshot[]> {
	const found: Snapshot[] = [];
	for (const name of readdirSync(join(ROOT, "packages"))) {
		const manifest = JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8"));
		for (const [subpath, target] of Object.entries<{ default?: string } | string>(manifest.exports)) {
			const file = typeof target === "string" ? undefined : target.default;
			if (file === undefined) continue;
			const module = await import(pathToFileURL(join(ROOT, "packages", name, file)).href);
			found.push({
				file: `${name}/exports${subpath.slice(1).replaceAll("/", "-")}.json`,
				value: Object.keys(module).sort(),
			});
		}
	}
	return found;
}

// A package with wire contracts of its own exports `contracts(): Record<file, value>` from dist/contracts.js.
async function packageContracts(): Promise<Snapshot[]> {
	const found: Snapshot[] = [];
	for (const name of readdirSync(join(ROOT, "packages"))) {
		const entry = join(ROOT, "packages", name, "dist/contracts.js");
		if (!existsSync(entry)) continue;
		const { contracts } = await import(pathToFileURL(entry).href);
		try {
			for (const [file, value] of Object.entries(await contracts())) found.push({ file: `${name}/${file}`, value });
		} catch (error) {
			refusals.push(error instanceof Error ? error.message : String(error));
		}
	}
	return found;
}

function difference(before: string, after: string): string {
	const old = new Set(before.split("\n"));
	const now = new Set(after.split("\n"));
	const removed = [...old].filter((line) => !now.has(line)).map((line) => `  - ${line}`);
	const added = [...now].filter((line) => !old.has(line)).map((line) => `  + ${line}`);
	return [...removed, ...added].slice(0, 60).join("\n");
}
