import { setTimeout as delay } from "node:timers/promises";
import { type Config, createGateway, loadConfig } from "metatools";
import { bad, type Finding, good, warn } from "./finding.ts";

const POLL_MS = 25;

/** Reads the configuration as the gateway will; what is wrong with it is a finding. */
export function readConfiguration(file: string): { findings: Finding[]; config: Config | undefined } {
	try {
		const config = loadConfig({ flags: {}, configFile: file, environment: process.env });
		const findings = config.warnings.map((warning) => warn("config", warning, `edit ${file || "the configuration"}`));
		if (file === "") findings.unshift(good("config", "none, defaults are used"));
		else findings.unshift(good("config", `${file}, ${config.servers.length} servers`));
		return { findings, config };
	} catch (error) {
		return {
			findings: [
				bad(
					"config",
					error instanceof Error ? error.message : String(error),
					`correct ${file}; metatools config validate tells more`,
				),
			],
			config: undefined,
		};
	}
}

/** Connects to each server once, as the gateway would, and tells how long the handshake took. */
export async function serverFindings(config: Config, timeoutMs: number): Promise<Finding[]> {
	const gateway = createGateway(config);
	const started = performance.now();
	gateway.start();
	try {
		return await Promise.all(
			config.servers.map(async ({ name }): Promise<Finding> => {
				const subject = `server ${name}`;
				while (performance.now() - started < timeoutMs) {
					const state = gateway.upstreams.all.find((upstream) => upstream.spec.name === name)?.state;
					const took = Math.round(performance.now() - started);
					if (state?.kind === "ready") return good(subject, `${state.tools} tools, ready in ${took} ms`);
					if (state?.kind === "failed")
						return bad(subject, state.reason, "run its command by hand and read what it prints");
					if (state?.kind === "needs_auth")
						return warn(subject, state.reason, "sign in to it, or add its token to the configuration");
					await delay(POLL_MS);
				}
				return bad(
					subject,
					`no handshake within ${timeoutMs} ms`,
					"run its command by hand: it may be waiting for input or downloading",
				);
			}),
		);
	} finally {
		await gateway.stop();
	}
}
