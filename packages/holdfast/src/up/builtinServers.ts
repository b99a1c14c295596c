import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { UpstreamSpec } from "metatools";

/** The servers that come with Holdfast, started without their own hosts because the gateway adds one. */
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

/** The script that starts a package's command. */
export function launcher(name: string): string {
	const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
	return join(dirname(manifest), "bin", `${name}.js`);
}
