import type { Gateway } from "metatools";
import { tint } from "../cli/output.ts";

const SHOWN_TOOLS = 6;

/** What was started, how to connect and how to stop: what a newcomer reads first. */
export function summary(address: string, gateway: Gateway, indexed: string | undefined): string {
	const servers = gateway.upstreams.all.map(({ spec, state }) => {
		const tools = gateway.catalog.tools.filter((tool) => tool.namespace === spec.namespace).map((tool) => tool.name);
		const more = tools.length > SHOWN_TOOLS ? `, +${tools.length - SHOWN_TOOLS}` : "";
		if (state.kind === "ready")
			return `  ${tint("good", spec.name.padEnd(14))} ${tools.slice(0, SHOWN_TOOLS).join(", ")}${more}`;
		const why = "reason" in state ? `: ${state.reason}` : "";
		return `  ${tint(state.kind === "connecting" ? "warn" : "bad", spec.name.padEnd(14))} ${state.kind}${why}`;
	});
	return [
		`Holdfast is up at ${tint("good", address)}`,
		"",
		`  MCP      ${address}/mcp`,
		`  console  ${address}/`,
		...(indexed === undefined ? [] : [`  index    ${indexed}`]),
		"",
		"Servers behind the gateway",
		...servers,
		"",
		"Connect a client",
		`  holdfast install claude-code --url ${address}/mcp`,
		"  or any of: cursor, vscode, codex, gemini; holdfast install <client> for clients that start commands",
		"",
		tint("dim", "Ctrl-C stops everything."),
	].join("\n");
}
