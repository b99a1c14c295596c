import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { countText, folded, pad, plainText, widthOf } from "libmcp/command";
import type { Gateway, Upstream, UpstreamState } from "metatools";
import type { BuildReport } from "pairofcleats";
import { measureContextUse } from "../../api/endpoint.ts";
import { findConfigFile, findFolders } from "../../config/installation.ts";
import type { Product } from "../../up/startProduct.ts";
import { colour, findTypedCommand } from "../output.ts";

const SHOWN_SERVERS = 20;
const SHOWN_TOOLS = 6;
const LONGEST_NAME = 32;
/** Tools listed first, as the ones a newcomer should try. */
const FIRST: readonly string[] = [
	"search",
	"show_file",
	"build_index",
	"triage_ingest",
	"list_schemas",
	"get_example",
	"validate_asset",
];

/** The text after a start: what runs, how to connect and how to stop. */
export function summarize(
	{ address: bound, gateway, locked, ownerless, configFile: file }: Omit<Product, "recorder" | "indexJob" | "close">,
	indexed: string | undefined,
): string {
	const room = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
	const address = findReachable(bound);
	const servers = listServerLines(
		gateway.upstreams.all.map((upstream) => rowOf(upstream, gateway)),
		room,
	);
	const prose = (line: string): string => folded(line, room);
	return [
		`Holdfast is up at ${colour("good", address)}`,
		"",
		`  MCP      ${address}/mcp`,
		ownerless ? "  console  needs --token, which was not given" : `  console  ${address}/`,
		...(indexed === undefined ? [] : [prose(`  index    ${indexed}`)]),
		...context(gateway).map(prose),
		"",
		"Servers behind the gateway",
		...(servers.length > 0 ? servers : [`  none yet; ${noneYet(file)}`]).map(prose),
		"",
		"Connect a client",
		`  ${findTypedCommand()} install claude-code --url ${address}/mcp${locked ? " --token …" : ""}`,
		prose(`  or cursor, vscode, codex, gemini and others: ${findTypedCommand()} install --help`),
		prose("  without --url a client starts a gateway of its own"),
		"",
		colour("dim", "Ctrl-C stops everything."),
	].join("\n");
}

/** How to add servers: import adds them only to the user's own configuration. */
function noneYet(file: string | undefined): string {
	if (file === undefined || file === findConfigFile(findFolders()))
		return `${findTypedCommand()} import brings in those of your agents`;
	return `put some into ${file}, as "mcpServers"`;
}

type Row = {
	readonly name: string;
	readonly state: UpstreamState["kind"];
	readonly reason?: string;
	/** The command that logs in to a server that needs it. */
	readonly login?: string;
	readonly tools: readonly string[];
};

function rowOf({ spec, state, login }: Upstream, { catalog }: Gateway): Row {
	const all = catalog.toolsOf(spec.namespace);
	const names = all.map(({ definition }) => shortenList(definition.name));
	return {
		name: shortenList(spec.name),
		state: state.kind,
		...(state.kind === "needs_auth" && { login }),
		...("reason" in state && { reason: plainText(state.reason) }),
		tools: [...FIRST.filter((name) => names.includes(name)), ...names.filter((name) => !FIRST.includes(name))],
	};
}

/** A line per server; with very many, only those that need attention and a count of the others. */
export function listServerLines(rows: readonly Row[], room: number): string[] {
	const isMany = rows.length > SHOWN_SERVERS;
	const shown = isMany
		? rows.toSorted((a, b) => Number(a.state === "ready") - Number(b.state === "ready")).slice(0, SHOWN_SERVERS)
		: rows;
	const width = Math.max(0, ...shown.map(({ name }) => widthOf(name)));
	const lines = shown.map(({ name, state, reason, login, tools }) => {
		const padded = pad(name, width);
		if (state === "ready") return `  ${colour("good", padded)}  ${nameSome(tools, room - width - 4) || "no tools"}`;
		const why = reason === undefined ? "" : `: ${reason}`;
		const remedy = login === undefined ? "" : `; ${login}`;
		return `  ${colour(state === "connecting" ? "warn" : "bad", padded)}  ${state.replace("_", " ")}${why}${remedy}`;
	});
	if (!isMany) return lines;
	const rest = Map.groupBy(
		rows.filter((row) => !shown.includes(row)),
		({ state }) => state,
	);
	const counts = [...rest].map(([state, all]) => `${all.length} ${state.replace("_", " ")}`).join(", ");
	return [...lines, `  and ${rows.length - shown.length} more: ${counts}; the console shows them all`];
}

/** Cuts the middle out, because similar names differ at their end. */
export function shortenList(name: string): string {
	const text = plainText(name);
	const end = 12;
	if (text.length <= LONGEST_NAME) return text;
	return `${text.slice(0, LONGEST_NAME - end - 1)}…${text.slice(-end)}`.toWellFormed();
}

/** As many names as fit into a line, and how many more there are. */
export function nameSome(names: readonly string[], room: number): string {
	for (let count = Math.min(names.length, SHOWN_TOOLS); count > 1; count--) {
		const line = listed(names, count);
		if (widthOf(line) <= room) return line;
	}
	return listed(names, 1);
}

function listed(names: readonly string[], count: number): string {
	const more = names.length - count;
	return `${names.slice(0, count).join(", ")}${more > 0 ? `, +${more}` : ""}`;
}

type Updated = Pick<BuildReport, "chunks" | "durationMs"> & {
	readonly files: Pick<BuildReport["files"], "indexed" | "unchanged">;
};

/** Summarizes an update of the index. */
export function describeIndex({ chunks, files: { indexed, unchanged }, durationMs }: Updated): string {
	const count = countText(indexed + unchanged, "file");
	const fresh = unchanged === 0 ? countText(chunks, "chunk") : `${indexed} of them new or changed`;
	return `${count}, ${indexed === 0 ? "up to date" : fresh} (${(durationMs / 1000).toFixed(1)} s)`;
}

/** An address that a browser can open: not 0.0.0.0, and not a container's own name. */
export function findReachable(
	bound: string,
	isContainer = existsSync("/.dockerenv") || existsSync("/run/.containerenv"),
): string {
	return bound.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, `//${isContainer ? "127.0.0.1" : hostname()}`);
}

/** Shown when the gateway's tool list is smaller than all the servers' together. */
function context(gateway: Gateway): string[] {
	const { shown, behind } = measureContextUse(gateway);
	if (shown.tokens >= behind.tokens) return [];
	const [few, many] = [shown.tokens, behind.tokens].map((tokens) =>
		(Math.round(tokens / 100) * 100).toLocaleString("en"),
	);
	return [`  context  about ${few} tokens for ${behind.tools} tools, instead of ${many}`];
}
