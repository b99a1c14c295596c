// Runs the long suites: `npm run soak [-- --minutes N] [globs]`.
import { parseArgs } from "node:util";
import { run } from "./run.ts";
import { exitIfUnmatched } from "./unmatched.ts";

const { values, positionals } = parseArgs({
	options: { minutes: { type: "string", default: "10" } },
	allowPositionals: true,
});
process.env.HOLDFAST_SOAK_MINUTES = values.minutes;
const patterns = positionals.length > 0 ? positionals : ["packages/*/test/**/*.soak.ts", "e2e/**/*.soak.ts"];
exitIfUnmatched(patterns);
process.exit(run("node", ["--disable-warning=ExperimentalWarning", "--test", "--test-concurrency=1", ...patterns]));
