// `npm run bench` lists the figures; `npm run bench -- <name> [args]` measures one and prints JSON lines.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./run.ts";

const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(join(ROOT, "bench"))
	.filter((file) => file.endsWith(".bench.ts"))
	.map((file) => file.slice(0, -".bench.ts".length))
	.sort();
if (name === undefined || !names.includes(name)) {
	console.log(`usage: npm run bench -- <${names.join("|")}> [arguments]`);
	process.exit(name === undefined ? 0 : 2);
}
process.exit(run("node", ["--disable-warning=ExperimentalWarning", "--expose-gc", `bench/${name}.bench.ts`, ...rest]));
