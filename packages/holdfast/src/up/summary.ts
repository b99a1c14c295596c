import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { plainText, truncateText } from "libmcp";
import type { Gateway } from "metatools";
import { pad, tint, widthOf } from "../cli/output.ts";
import { contextUse } from "./contextUse.ts";
import type { Product } from "./startProduct.ts";

const SHOWN_TOOLS = 6;
const LONGEST_NAME = 24;
/** What a newcomer tries first, before the rest of the list. */
const FIRST = new Set([
	"search",
	"show_file",
	"build_index",
	"triage_ingest",
	"list_schemas",
	"get_example",
	"validate_asset",
]);

/** What was started, how to connect and how to stop: what a newcomer reads first. */
export function summary(
	{ address: bound, gateway, locked }: Pick<Product, "address" | "gateway" | "locked">,
	indexed: string | undefined,
): string {
	const address = reachable(bound);
	const shown = (name: string): string => truncateText(plainText(name), LONGEST_NAME);
	const width = Math.max(0, ...gateway.upstreams.all.map(({ spec }) => widthOf(shown(spec.name))));
	const servers = gateway.upstreams.all.map(({ spec, state }) => {
		const name = pad(shown(spec.name), width);
		const all = gateway.catalog.tools
			.filter((tool) => tool.namespace === spec.namespace)
			.map((tool) => plainText(tool.name));
		const tools = [...all.filter((name) => FIRST.has(name)), ...all.filter((name) => !FIRST.has(name))];
		const more = tools.length > SHOWN_TOOLS ? `, +${tools.length - SHOWN_TOOLS}` : "";
		if (state.kind === "ready") return `  ${tint("good", name)}  ${tools.slice(0, SHOWN_TOOLS).join(", ")}${more}`;
		const why = "reason" in state ? `: ${plainText(state.reason)}` : "";
		return `  ${tint(state.kind === "connecting" ? "warn" : "bad", name)}  ${state.kind}${why}`;
	});
	return [
		`Holdfast is up at ${tint("good", address)}`,
		"",
		`  MCP      ${address}/mcp`,
		`  console  ${address}/`,
		...(indexed === undefined ? [] : [`  index    ${indexed}`]),
		...context(gateway),
		"",
		"Servers behind the gateway",
		...(servers.length > 0 ? servers : [`  none yet; ${command()} import brings in those of your agents`]),
		"",
		"Connect a client",
		`  ${command()} install claude-code --url ${address}/mcp${locked ? " --token …" : ""}`,
		"  or cursor, vscode, codex, gemini, windsurf, zed; without --url a client starts a gateway of its own",
		"",
		tint("dim", "Ctrl-C stops everything."),
	].join("\n");
}

/** Every address of this machine is none that a browser could open, and a container's name is known to nobody outside. */
export function reachable(
	bound: string,
	isContainer = existsSync("/.dockerenv") || existsSync("/run/.containerenv"),
): string {
	return bound.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, `//${isContainer ? "127.0.0.1" : hostname()}`);
}

/** Said where the one door is smaller than what is behind it. */
function context(gateway: Gateway): string[] {
	const { shown, behind } = contextUse(gateway);
	if (shown.tokens >= behind.tokens) return [];
	const [few, many] = [shown.tokens, behind.tokens].map((tokens) =>
		(Math.round(tokens / 100) * 100).toLocaleString("en"),
	);
	return [`  context  about ${few} tokens of the model's for ${behind.tools} tools, instead of ${many}`];
}

/** As it is called from where this was started: a checkout and npx have it on no PATH. */
function command(): string {
	return process.env.npm_execpath === undefined ? "holdfast" : "npx holdfast";
}
