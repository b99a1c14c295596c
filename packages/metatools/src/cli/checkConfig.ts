import { readPolicy } from "../auth/policy.ts";
import { readAuth } from "../auth/readAuth.ts";
import { type Config, loadConfig } from "../config/load.ts";
import { readQuarantine } from "../quarantine/quarantine.ts";
import { findUnknownCallers, findUnknownServers } from "../server/idleRules.ts";
import { readTlsFiles } from "../transport/checkServing.ts";
import { checkSite } from "../transport/site.ts";
import { ConfigError, createSource } from "./commandConfig.ts";
import type { Console } from "./console.ts";
import type { CommandLine } from "./flags.ts";

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
