import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { type Config, loadConfig, type UpstreamSpec } from "metatools";
import { findConfigFile, findFolders, findRepositoryProblem } from "../config/installation.ts";

export type ProductSource = {
	/** The repository to search. */
	readonly repository: string;
	/** Configuration of the gateway; default: the user's own, if there is one. */
	readonly configFile?: string;
	readonly flags?: Readonly<Record<string, string>>;
	/** Leaves out the servers that come with Holdfast. */
	readonly bare?: boolean;
};

/** The gateway's configuration plus the built-in servers, which an entry of the same name can replace or disable. */
export function loadProductConfig({ repository, configFile, flags = {}, bare = false }: ProductSource): Config {
	const problem = bare ? undefined : findRepositoryProblem(repository);
	if (problem !== undefined) throw new Error(`${repository}: expected ${problem}; --repo names another`);
	// The code server runs in that folder, where a relative path would mean a different one.
	const root = resolve(repository);
	const config = loadConfig({
		// Default to the sandbox that needs nothing installed.
		flags: { ...(process.env.METATOOLS_RUNTIME_BACKEND === undefined && { runtimeBackend: "wasm" }), ...flags },
		...(configFile !== undefined && { configFile }),
		environment: process.env,
	});
	const taken = new Set([...config.servers.flatMap(({ name, namespace }) => [name, namespace]), ...config.disabled]);
	const added = bare ? [] : listBuiltinServers(root).filter(({ name }) => !taken.has(name));
	const { quarantine } = config.sections;
	// The built-in servers change only with Holdfast itself.
	const trust = [
		...(Array.isArray(quarantine.trust) ? quarantine.trust : []),
		...added.map(({ namespace }) => namespace),
	];
	return {
		...config,
		// Watch for the file even if it does not exist yet: `holdfast import` creates it.
		files: config.files.length > 0 ? config.files : [findConfigFile(findFolders())],
		servers: [...added, ...config.servers],
		sections: { ...config.sections, quarantine: { ...quarantine, trust } },
	};
}

/** Longer than any tool of the code server takes by its own limits, so that those hold. */
const CODE_TIMEOUT_MS = 660_000;

/** The servers that come with Holdfast, started without their own hosts because the gateway adds one. */
export function listBuiltinServers(repository: string, own: NodeJS.ProcessEnv = process.env): UpstreamSpec[] {
	const assets = passedOn(ASSET_VARIABLES, own);
	const hasOwnFolder = "SYN_SCHEMAS_DIR" in assets || "SYN_EXAMPLES_DIR" in assets;
	return [
		{
			...common("pairofcleats", "Code intelligence for the repository: index, ranked search with filters, triage"),
			args: [findLauncher("pairofcleats"), "mcp", "--direct", "--repo", repository],
			env: passedOn(CODE_VARIABLES, own),
			executionTimeoutMs: CODE_TIMEOUT_MS,
			cwd: repository,
		},
		{
			...common("synesthetic", "Schema-governed assets: list, get, validate, diff, populate"),
			args: [findLauncher("synesthetic"), "--direct", ...(hasOwnFolder ? [] : ["--sample"])],
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
export function findLauncher(name: string): string {
	const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
	return join(dirname(manifest), "bin", `${name}.js`);
}
