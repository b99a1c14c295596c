import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { countText, failureText } from "libmcp/command";
import {
	type Config,
	checkServing,
	createGateway,
	type Gateway,
	loadConfig,
	type Upstream,
	type UpstreamSpec,
} from "metatools";
import { readJsonEntries } from "../clients/files/jsonFile.ts";
import { findConfigFile, findFolders } from "../config/installation.ts";
import { listBuiltinServers } from "../up/productConfig.ts";
import { type Finding, failFinding, passFinding, warnFinding } from "./finding.ts";

/** Limited, because servers that start together slow each other down and healthy ones would time out. */
const AT_ONCE = 4;
const BY_HAND = "run its command by hand and read what it prints";
const BY_NAME = "install it, or write the whole path of its command";
const BY_ENTRY = "correct its entry in the configuration, or set the variable where Holdfast runs";
const BY_ADDRESS = "check its address, and that this machine can reach it";

/** Reads the configuration as the gateway does, and reports its problems as findings. */
export function readConfiguration(named?: string): { findings: Finding[]; config: Config | undefined } {
	try {
		const config = loadConfig({
			flags: {},
			environment: process.env,
			...(named !== undefined && { configFile: named }),
		});
		// `up` takes its address from its own options, so a local one is assumed here.
		checkServing(config, "127.0.0.1");
		const [file] = config.files;
		const read = passFinding(
			"config",
			file === undefined
				? `no ${findConfigFile(findFolders())}, defaults are used`
				: `${file}, ${countText(config.servers.length, "server")}${switchedOff(config)}`,
		);
		const warnings = config.warnings.map((warning) =>
			warnFinding("config", warning, `edit ${file ?? "the configuration"}`),
		);
		return { findings: [read, ...(file === undefined ? [] : doubledNames(file)), ...warnings], config };
	} catch (error) {
		const isMissing = named !== undefined && !existsSync(named);
		return {
			findings: [
				failFinding("config", failureText(error), isMissing ? "name a file that is there" : "correct the file"),
			],
			config: undefined,
		};
	}
}

function switchedOff({ disabled }: Config): string {
	return disabled.length === 0 ? "" : `, ${disabled.length} switched off: ${disabled.join(", ")}`;
}

/** An empty configuration, to try servers from clients' files with. */
export function reportNoServers(): Config {
	return loadConfig({ flags: {}, configFile: "", environment: {} });
}

/** Warns of two servers with one name, because JSON readers see only the last. */
function doubledNames(file: string): Finding[] {
	if (![".json", ".jsonc"].includes(extname(file))) return [];
	try {
		readJsonEntries(readFileSync(file, "utf8"), ["mcpServers"]);
		return [];
	} catch (error) {
		return [warnFinding("config", `${file}: ${failureText(error)}`, "rename one of them: only the last counts")];
	}
}

/**
 * Connects to each server once, as the gateway would, only a few at a time so that they hardly slow each other down.
 * `onProgress` gets the number tried, the number of all, and the names being tried now.
 */
export async function checkServers(
	config: Config,
	timeoutMs: number,
	onProgress: (tried: number, all: number, now: readonly string[]) => void = () => {},
): Promise<Finding[]> {
	const gateway = createGateway(config, { command: "holdfast" });
	const findings: Finding[] = [];
	const builtin = listBuiltinServers(process.cwd()).map(({ namespace }) => namespace);
	const idle = [...gateway.unknownServers(builtin)];
	const { all } = gateway.upstreams;
	const waiting = all.entries();
	const now = new Set<string>();
	let tried = 0;
	const tryNext = async (): Promise<void> => {
		for (const [place, upstream] of waiting) {
			now.add(upstream.spec.name);
			onProgress(tried, all.length, [...now]);
			findings[place] = await findingOf(upstream, gateway, timeoutMs, (rules) => idle.push(...rules));
			now.delete(upstream.spec.name);
			onProgress(++tried, all.length, [...now]);
		}
	};
	try {
		await Promise.all(Array.from({ length: AT_ONCE }, tryNext));
	} finally {
		await gateway.stop();
	}
	return [
		...findings,
		...idle.map((rule) => warnFinding("config", rule, "correct it: the tool that is meant is not covered")),
	];
}

async function findingOf(
	upstream: Upstream,
	gateway: Gateway,
	timeoutMs: number,
	onIdleRules: (rules: readonly string[]) => void,
): Promise<Finding> {
	const { name, namespace, kind } = upstream.spec;
	const subject = `server ${name}`;
	const patience = new AbortController();
	const timer = setTimeout(() => patience.abort(), timeoutMs);
	const started = performance.now();
	upstream.start();
	try {
		await upstream.settled(patience.signal).catch(() => {});
		const { state, problems } = upstream;
		if (state.kind === "ready") {
			onIdleRules(gateway.unknownTools(namespace));
			const says = `${countText(state.tools, "tool")}, ready in ${Math.round(performance.now() - started)} ms`;
			if (problems.length > 0)
				return warnFinding(
					subject,
					`${says}; ${problems.join("; ")}`,
					"correct these in the server or in its entry; its other tools work",
				);
			const held = gateway.waiting.among(gateway.catalog.toolsOf(namespace));
			return held === 0
				? passFinding(subject, says)
				: warnFinding(subject, `${says}; ${held} of them cannot be run before approval`, gateway.waiting.remedy);
		}
		if (state.kind === "failed") return failFinding(subject, state.reason, remedy(upstream.spec, state.reason));
		if (state.kind === "needs_auth")
			return warnFinding(subject, state.reason, `${upstream.login}, or add its token to the configuration`);
		if (state.kind === "connecting" && state.reason !== undefined)
			return failFinding(subject, state.reason, remedy(upstream.spec, state.reason));
		return failFinding(
			subject,
			`no handshake within ${timeoutMs / 1_000} s`,
			kind === "stdio"
				? "raise --timeout if it is slow to start, or run its command by hand: it may wait for input, or be no MCP server"
				: BY_ADDRESS,
		);
	} finally {
		clearTimeout(timer);
		await upstream.stop();
	}
}

function remedy(spec: UpstreamSpec, reason: string): string {
	switch (spec.kind) {
		case "stdio":
			return reason.startsWith("there is no command") ? remedyOfCommand(spec.command) : BY_HAND;
		case "http":
		case "sse":
			return BY_ADDRESS;
		case "unusable":
			return BY_ENTRY;
	}
}

/** Recognizes a whole command line as `command`, the likeliest mistake in an entry written by hand. */
function remedyOfCommand(command: string): string {
	const [program = "", ...args] = command.trim().split(/\s+/);
	// A path may contain spaces.
	const isProgram = !/[\\/]/.test(program) || existsSync(program);
	return args.length === 0 || !isProgram
		? BY_NAME
		: `write ${JSON.stringify(program)} as its command, and the rest as its args`;
}
