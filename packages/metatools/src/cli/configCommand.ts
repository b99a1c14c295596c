import { fileSchema } from "../config/fileSchema.ts";
import { configured } from "./configured.ts";
import type { Console } from "./console.ts";
import { readFlags, UsageError } from "./flags.ts";
import { settingsTable } from "./help.ts";

export function configCommand([command, ...argv]: readonly string[], console: Console): number {
	const line = readFlags(argv);
	if (command === "validate") validate(configured(line, console), line.json, console);
	else if (command === "schema") console.out(JSON.stringify(fileSchema(), null, 2));
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
	for (const server of servers)
		console.out(`  ${server.name.padEnd(20)} ${server.kind === "stdio" ? server.command : server.url}`);
	console.out(
		`${servers.length} servers, ${toolsets.length} toolsets, ${skills.length} skills; transport ${settings.transport}, search ${settings.searchStrategy}`,
	);
}
