import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { UpstreamSpec } from "metatools";

/** Longer than any tool of the code server takes by its own limits, so that those hold. */
const CODE_TIMEOUT_MS = 660_000;

/** The servers that come with Holdfast, started without their own hosts because the gateway adds one. */
export function builtinServers(repository: string, own: NodeJS.ProcessEnv = process.env): UpstreamSpec[] {
	const assets = passedOn(ASSET_VARIABLES, own);
	const hasOwnFolder = "SYN_SCHEMAS_DIR" in assets || "SYN_EXAMPLES_DIR" in assets;
	return [
		{
			...common("pairofcleats", "Code intelligence for the repository: index, ranked search with filters, triage"),
			args: [launcher("pairofcleats"), "mcp", "--direct", "--repo", repository],
			env: passedOn(CODE_VARIABLES, own),
			executionTimeoutMs: CODE_TIMEOUT_MS,
			cwd: repository,
		},
		{
			...common("synesthetic", "Schema-governed assets: list, get, validate, diff, populate"),
			args: [launcher("synesthetic"), "--direct", ...(hasOwnFolder ? [] : ["--sample"])],
			env: assets,
		},
	];
}

function common(name: string, description: string) {
	return { kind: "stdio", name, namespace: name, description, protocol: "auto", command: process.execPath } as const;
}

type VariableKind = "path" | "value";

// Neither the framing nor the HTTP API's token is for a server behind a gateway.
const CODE_VARIABLES = {
	PAIROFCLEATS_CACHE_ROOT: "path",
	PAIROFCLEATS_DATA_ROOT: "path",
	PAIROFCLEATS_MODEL: "path",
	PAIROFCLEATS_TOOL_TIMEOUT_MS: "value",
	PAIROFCLEATS_QUEUE_MAX: "value",
} as const;

const ASSET_VARIABLES = {
	SYN_SCHEMAS_DIR: "path",
	SYN_EXAMPLES_DIR: "path",
	SYN_BACKEND_URL: "value",
	SYN_BACKEND_ASSETS_PATH: "value",
} as const;

/** A server may run in another folder, where a relative path would mean a different one. */
function passedOn(variables: Readonly<Record<string, VariableKind>>, own: NodeJS.ProcessEnv): Record<string, string> {
	const set = Object.entries(variables).flatMap(([name, kind]) => {
		const value = own[name];
		if (value === undefined || value === "") return [];
		return [[name, kind === "path" ? resolve(value) : value] as const];
	});
	return Object.fromEntries(set);
}

/** The script that starts a package's command. */
export function launcher(name: string): string {
	const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
	return join(dirname(manifest), "bin", `${name}.js`);
}
