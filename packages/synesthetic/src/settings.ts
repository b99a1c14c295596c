import { readFileSync } from "node:fs";

/** Every environment variable the server reads; docs/synesthetic.md has the same table. */
export const VARIABLES = {
	MCP_READY_FILE: {
		default: "/tmp/mcp.ready",
		says: "file written when the server is ready, removed when it ends; empty for none",
	},
	SYN_SCHEMAS_DIR: { default: "", says: "folder of schema files" },
	SYN_EXAMPLES_DIR: { default: "", says: "folder of example files" },
	SYN_BACKEND_URL: { default: "", says: "backend that populate_backend posts to; unset, the tool is unsupported" },
	SYN_BACKEND_ASSETS_PATH: { default: "/synesthetic-assets/", says: "path of the backend that takes new assets" },
} as const;

/** The folders to read, the backend to send assets to, and the ready file. */
export type Settings = {
	readonly workingDirectory: string;
	readonly readyFile: string | undefined;
	readonly schemasDirectory: string | undefined;
	readonly examplesDirectory: string | undefined;
	readonly backendUrl: string | undefined;
	readonly backendAssetsPath: string;
};

/** Reads the settings from the environment, with the defaults of `VARIABLES`. */
export function readSettings(
	environment: Readonly<Record<string, string | undefined>> = process.env,
	workingDirectory: string = process.cwd(),
): Settings {
	const value = (name: keyof typeof VARIABLES) => environment[name] ?? VARIABLES[name].default;
	return {
		workingDirectory,
		readyFile: value("MCP_READY_FILE") || undefined,
		schemasDirectory: value("SYN_SCHEMAS_DIR") || undefined,
		examplesDirectory: value("SYN_EXAMPLES_DIR") || undefined,
		backendUrl: value("SYN_BACKEND_URL") || undefined,
		backendAssetsPath: value("SYN_BACKEND_ASSETS_PATH"),
	};
}

/** The environment from which a worker reads the same settings. */
export function toEnvironment(settings: Settings): Record<string, string> {
	return {
		SYN_SCHEMAS_DIR: settings.schemasDirectory ?? "",
		SYN_EXAMPLES_DIR: settings.examplesDirectory ?? "",
		SYN_BACKEND_URL: settings.backendUrl ?? "",
		SYN_BACKEND_ASSETS_PATH: settings.backendAssetsPath,
	};
}

/** The package's version, from its manifest. */
export const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
