import { fileURLToPath } from "node:url";
import type { FixtureConfig } from "./fixtureConfig.ts";

/** How a host starts the fixture worker. */
export type FixtureCommand = { readonly command: string; readonly args: readonly string[] };

/** The command line of the fixture worker, with Node options if given. */
export function fixtureCommand(config: FixtureConfig, nodeOptions: readonly string[] = []): FixtureCommand {
	// In the published package this is JavaScript; in a checkout it runs by type stripping.
	const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
	const worker = fileURLToPath(new URL(`fixtureWorker.${extension}`, import.meta.url));
	const quiet = extension === "ts" ? ["--disable-warning=ExperimentalWarning"] : [];
	return { command: process.execPath, args: [...quiet, ...nodeOptions, worker, JSON.stringify(config)] };
}
