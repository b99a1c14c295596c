import { countText } from "libmcp";
import { pad, plainText, widthOf } from "libmcp/launch";
import { fileSchema } from "../config/fileSchema.ts";
import { configured, usable } from "./configured.ts";
import type { Console } from "./console.ts";
import { readFlags, UsageError } from "./flags.ts";
import { settingsTable } from "./help.ts";

export async function configCommand([command, ...argv]: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv);
	if (command === "validate") {
		const config = configured(line, console);
		const { checkServing } = await import("../transport/checkServing.ts");
		// On stdio only the client that started us can reach us.
		const host = config.settings.transport === "stdio" ? "127.0.0.1" : config.settings.host;
		usable(() => checkServing(config, host));
		validate(config, line.json, console);
	} else if (command === "schema") console.out(JSON.stringify(fileSchema(), null, 2));
	else if (command === "docs") console.out(settingsTable());
	else throw new UsageError(`config: expected validate, schema or docs, got ${command ?? "nothing"}`);
	return 0;
}

function validate(
	{ files, servers, toolsets, skills, settings }: ReturnType<typeof configured>,
	json: boolean,
	console: Console,
): void {
	if (json) {
		console.out(
			JSON.stringify({ valid: true, files, servers: servers.map(({ name, kind }) => ({ name, kind })), settings }),
		);
		return;
	}
	console.out(`${files.join(", ") || "no file"}: valid`);
	const width = Math.max(0, ...servers.map(({ name }) => widthOf(plainText(name))));
	for (const server of servers) {
		const address = server.kind === "stdio" ? server.command : server.url;
		console.tell(`  ${pad(plainText(server.name), width)}  ${plainText(address)}`);
	}
	console.tell(
		`${countText(servers.length, "server")}, ${countText(toolsets.length, "toolset")}, ${countText(skills.length, "skill")}; transport ${settings.transport}, search ${settings.searchStrategy}`,
	);
}
