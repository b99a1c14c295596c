// node model/make.ts <checkouts> <model> [--work DIR] [-- training options]: from a folder of checkouts to a model file.
import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const split = process.argv.indexOf("--", 2);
const { values, positionals } = parseArgs({
	args: process.argv.slice(2, split < 0 ? undefined : split),
	options: {
		work: { type: "string" },
		"max-mb": { type: "string", default: "8" },
		"min-repos": { type: "string", default: "3" },
		"min-df": { type: "string", default: "8" },
		python: { type: "string", default: "python3" },
	},
	allowPositionals: true,
});
const [checkouts, model] = positionals;
if (checkouts === undefined || model === undefined) {
	throw new Error(
		"usage: node model/make.ts <checkouts> <model> [--work DIR] [--max-mb 8] [--python python3] [-- training options]",
	);
}
const work = values.work ?? (await mkdtemp(join(tmpdir(), "token-table-")));
const mined = join(work, "mined");
const packed = join(work, "pairs.xz");
await Promise.all(
	["0/2", "1/2"].map((part) =>
		run(process.execPath, ["mine.ts", checkouts, mined, "--part", part, "--max-mb", values["max-mb"]]),
	),
);
await run(values.python, ["pack.py", mined, packed, "--min-repos", values["min-repos"], "--min-df", values["min-df"]]);
await run(values.python, ["train.py", packed, model, ...(split < 0 ? [] : process.argv.slice(split + 1))]);

async function run(command: string, [script = "", ...args]: readonly string[]): Promise<void> {
	const child = spawn(command, [fileURLToPath(new URL(script, import.meta.url)), ...args], { stdio: "inherit" });
	const code = await new Promise((resolve, reject) => child.on("error", reject).on("exit", resolve));
	if (code !== 0) throw new Error(`${script} ended with ${code}`);
}
