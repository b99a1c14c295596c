import { serveDirect } from "../server/serveDirect.ts";
import { readSettings } from "../settings.ts";

/** The `synesthetic` command. */
export async function main(args: readonly string[]): Promise<void> {
	if (args[0] === "--direct" || args.length === 0) process.exit(await serveDirect(readSettings()));
}
