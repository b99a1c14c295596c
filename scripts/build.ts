import { runOrExit } from "./run.ts";

runOrExit("node", ["node_modules/typescript/bin/tsc", "-b"]);
for (const step of [
	"scripts/compile-assembly.ts",
	"scripts/bundle-cli.ts",
	"scripts/bundle-server.ts",
	"scripts/bundle-gateway.ts",
	"packages/holdfast/src/console/bundle.ts",
])
	runOrExit("node", [step]);
