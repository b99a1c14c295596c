import { serveDirect, serveHosted } from "../server/serve.ts";
import { readSettings } from "../settings.ts";

/** The `synesthetic` command. */
export async function main(args: readonly string[]): Promise<void> {
	process.exit(await (args[0] === "--direct" ? serveDirect(readSettings()) : serveHosted(readSettings())));
}
