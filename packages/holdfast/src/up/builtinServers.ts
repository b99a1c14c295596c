import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { UpstreamSpec } from "metatools";

/** The servers that come with Holdfast, as the gateway starts them: under its own host, so without theirs. */
export function builtinServers(repository: string): UpstreamSpec[] {
	return [
		{
			...common("pairofcleats", "Code intelligence for the repository: index, ranked search with filters, triage"),
			args: [launcher("pairofcleats"), "mcp", "--direct", "--repo", repository],
			cwd: repository,
		},
		{
			...common("synesthetic", "Schema-governed assets: list, get, validate, diff, populate"),
			args: [launcher("synesthetic"), "--direct", "--sample"],
		},
	];
}

function common(name: string, description: string) {
	return {
		kind: "stdio",
		name,
		namespace: name,
		description,
		protocol: "auto",
		command: process.execPath,
		env: {},
	} as const;
}

/** The script of the command that a package comes with. */
export function launcher(name: string): string {
	const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
	return join(dirname(manifest), "bin", `${name}.js`);
}
