import { resolve } from "node:path";
import { type Config, loadConfig } from "metatools";
import { configFile as configFileOf, folders } from "../config/folders.ts";
import { builtinServers } from "./builtinServers.ts";
import { repositoryProblem } from "./repositoryProblem.ts";

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
export function productConfig({ repository, configFile, flags = {}, bare = false }: ProductSource): Config {
	const problem = bare ? undefined : repositoryProblem(repository);
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
	const added = bare ? [] : builtinServers(root).filter(({ name }) => !taken.has(name));
	const { quarantine } = config.sections;
	// The built-in servers change only with Holdfast itself.
	const trust = [
		...(Array.isArray(quarantine.trust) ? quarantine.trust : []),
		...added.map(({ namespace }) => namespace),
	];
	return {
		...config,
		// Watch for the file even if it does not exist yet: `holdfast import` creates it.
		files: config.files.length > 0 ? config.files : [configFileOf(folders())],
		servers: [...added, ...config.servers],
		sections: { ...config.sections, quarantine: { ...quarantine, trust } },
	};
}
