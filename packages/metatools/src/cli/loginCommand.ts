import { UsageError } from "libmcp/command";
import { cutText, toPlainBlock } from "../catalog/text.ts";
import { findSystemError } from "../upstream/failure/failure.ts";
import { login } from "../upstream/login/login.ts";
import { TokenStore } from "../upstream/login/tokenStore.ts";
import type { HttpSpec, UpstreamSpec } from "../upstream/spec.ts";
import { ConfigError, loadCommandConfig } from "./commandConfig.ts";
import type { Console } from "./console.ts";
import { type CommandLine, readFlags } from "./flags.ts";

const MAX_REASON = 500;

/** Logs in to a configured server that asks for OAuth. */
export async function loginCommand(argv: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv, ["scope"]);
	const server = namedServer(line, loadCommandConfig(line, console).servers);
	const { scope } = line.own;
	const show = (address: string): void => {
		console.error("Open this address in your browser and agree:");
		// With --json stdout is for the outcome, so the address goes to stderr.
		if (line.json) console.error(address);
		else console.out(address);
	};
	try {
		await login(server, new TokenStore(process.env), show, scope === undefined ? {} : { scope });
		console.error("logged in");
		if (line.json) console.out(JSON.stringify({ server: server.name, loggedIn: true }));
		return 0;
	} catch (thrown) {
		// The authorization server's text is untrusted and goes to a terminal.
		const reason = toPlainBlock(reasonOf(thrown));
		throw new Error(`login failed: ${cutText(reason, MAX_REASON)}`, { cause: thrown });
	}
}

/** The cause of a failed fetch, whose own message says only "fetch failed". */
function reasonOf(thrown: unknown): string {
	if (!(thrown instanceof Error)) return String(thrown);
	const cause = thrown instanceof TypeError && thrown.cause instanceof Error ? thrown.cause.message : "";
	return findSystemError(thrown)?.message || cause || thrown.message;
}

/** Deletes the stored login. */
export async function logoutCommand(argv: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv);
	const server = namedServer(line, loadCommandConfig(line, console).servers);
	const known = await new TokenStore(process.env).forget(server.url);
	console.error(known ? "logged out" : "was not logged in");
	if (line.json) console.out(JSON.stringify({ server: server.name, wasLoggedIn: known }));
	return known ? 0 : 1;
}

function namedServer({ words }: CommandLine, servers: readonly UpstreamSpec[]): HttpSpec {
	const spec = servers.find((server) => server.name === words[0]);
	if (words.length !== 1) throw new UsageError(`server: expected the name of one, got ${words.join(" ") || "nothing"}`);
	if (spec === undefined)
		throw new UsageError(
			`server: expected one of ${servers.map((server) => server.name).join(", ") || "the configured servers, and there is none"}, got ${words[0]}`,
		);
	if (spec.kind === "stdio")
		throw new UsageError(
			`server: expected one with a url, got ${spec.name}, which is a program of this machine and asks for no login`,
		);
	if (spec.kind === "unusable") throw new ConfigError(spec.reason);
	return spec;
}
