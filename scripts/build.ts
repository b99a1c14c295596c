import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runOrExit } from "./run.ts";

runOrExit("node", ["node_modules/typescript/bin/tsc", "-b"]);
runOrExit("node", ["scripts/compile-assembly.ts"]);
runOrExit("node", ["scripts/bundle-cli.ts"]);
runOrExit("node", ["scripts/bundle-server.ts"]);
const bundle = join(ROOT, "packages/holdfast/src/console/bundle.ts");
if (existsSync(bundle)) runOrExit("node", [bundle]);
