import { existsSync } from "node:fs";
import { countText } from "libmcp";
import { pad, plainText, UsageError, widthOf } from "libmcp/command";
import { readPolicy } from "../auth/policy.ts";
import { readAuth } from "../auth/readAuth.ts";
import { createFileSchema } from "../config/fileSchema.ts";
import { CONFIG_FILE_NAMES, type Config, listDefaultFiles, loadConfig } from "../config/load.ts";
import { readQuarantine } from "../quarantine/quarantine.ts";
import { findUnknownCallers, findUnknownServers } from "../server/idleRules.ts";
import { readTlsFiles } from "../transport/checkServing.ts";
import { checkSite } from "../transport/site.ts";
import { collectSecrets } from "../upstream/secrets/configuredSecrets.ts";
import { maskSecrets } from "../upstream/secrets/maskSecrets.ts";
import type { UpstreamSpec } from "../upstream/spec.ts";
import { ConfigError, createSource } from "./commandConfig.ts";
import type { Console } from "./console.ts";
import { type CommandLine, readFlags } from "./flags.ts";
import { renderSettings } from "./help.ts";

export async function configCommand([command, ...argv]: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv);
	if (command === "validate") {
		validate(checkConfig(line, console), line.json, console);
	} else if (command === "schema") console.out(JSON.stringify(createFileSchema(), null, 2));
	else if (command === "docs") console.out(renderSettings());
	else throw new UsageError(`config: expected validate, schema or docs, got ${command ?? "nothing"}`);
	return 0;
}

function validate(config: Config, json: boolean, console: Console): void {
	const { files, servers, disabled, toolsets, skills, settings } = config;
	if (json) {
		console.out(
			JSON.stringify({ valid: true, files, servers: servers.map(({ name, kind }) => ({ name, kind })), settings }),
		);
		return;
	}
	if (files.length > 0) console.out(`${files.join(", ")}: valid`);
	else sayNothingFound(console);
	const width = Math.max(0, ...servers.map(({ name }) => widthOf(plainText(name))));
	for (const server of servers) {
		console.tell(
			`  ${pad(plainText(server.name), width)}  ${plainText(maskSecrets(addressOf(server), collectSecrets(server)))}`,
		);
	}
	console.tell(
		`${countText(servers.length, "server")}${describeSwitchedOff(disabled)}, ${countText(toolsets.length, "toolset")}, ${countText(skills.length, "skill")}; transport ${settings.transport}, search ${settings.searchStrategy}`,
	);
}

function describeSwitchedOff(names: readonly string[]): string {
	return names.length === 0 ? "" : ` (${names.length} switched off: ${names.map(plainText).join(", ")})`;
}

function sayNothingFound(console: Console): void {
	console.out("no configuration found: no --config, no METATOOLS_CONFIG, and none of these files:");
	for (const path of listDefaultFiles(process.env)) console.tell(`  ${path}`);
	const here = CONFIG_FILE_NAMES.find((name) => existsSync(name));
	if (here !== undefined) console.tell(`To read the ${here} in this folder, add --config ${here}`);
}

function addressOf(server: UpstreamSpec): string {
	switch (server.kind) {
		case "stdio":
			return server.command;
		case "http":
		case "sse":
			return withoutQuery(new URL(server.url));
		case "unusable":
			return server.reason;
	}
}

/** Keys often stand in the query, and many can read the log of a check. */
function withoutQuery({ origin, pathname }: URL): string {
	return `${origin}${pathname}`;
}

/** Reads the configuration to its end and reports all mistakes in one error, those of its servers too. */
export function checkConfig(line: CommandLine, console: Console): Config {
	const problems: string[] = [];
	const attempt = <Value>(read: () => Value): Value | undefined => {
		try {
			return read();
		} catch (thrown) {
			problems.push(thrown instanceof Error ? thrown.message : "unreadable configuration");
			return undefined;
		}
	};
	const config = attempt(() =>
		loadConfig(createSource(line), (problem) => {
			// The schema of the file may have objected to the same setting before.
			const [place] = problem.split(": ", 1);
			if (!problems.some((told) => told.includes(` ${place}: `))) problems.push(problem);
		}),
	);
	if (config !== undefined) {
		for (const warning of [...config.warnings, ...findUnknownServers(config), ...findUnknownCallers(config)])
			console.complain(warning);
		const { files, servers, sections, settings } = config;
		const unusable = servers.flatMap((server) => (server.kind === "unusable" ? [server.reason] : []));
		// A server with a mistake does not stop `serve`, but the configuration is not valid.
		if (unusable.length > 0) problems.push(`${files[0]}: ${unusable.join("; ")}`);
		attempt(() => readPolicy(sections.policy));
		attempt(() => readQuarantine(sections.quarantine, process.env));
		const rules = attempt(() => readAuth(sections.auth));
		// On stdio only the client that started us can reach us.
		const host = settings.transport === "stdio" ? "127.0.0.1" : settings.host;
		if (rules !== undefined) attempt(() => checkSite({ host, ...rules }));
		attempt(() => readTlsFiles(settings));
	}
	if (config === undefined || problems.length > 0) throw new ConfigError(problems.join("; "));
	return config;
}
