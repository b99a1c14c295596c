import { patternMatcher } from "../catalog/pattern.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { type Change, changeLines, changesOf } from "../quarantine/changes.ts";
import { type Quarantine, type Quarantined, quarantineGate, readQuarantine } from "../quarantine/quarantine.ts";
import { Gateway } from "../server/gateway.ts";
import { openAuthorized } from "../upstream/login/authorizedUpstreams.ts";
import { awaitServers } from "./awaitServers.ts";
import { loadCommandConfig } from "./commandConfig.ts";
import type { Console } from "./console.ts";
import { readFlags } from "./flags.ts";

/** Without tool names, lists the tools that wait for approval and why. With names, approves those tools as they are now. */
export async function approveCommand(argv: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv);
	const config = loadCommandConfig(line, console);
	const quarantine = quarantineGate(readQuarantine(config.sections.quarantine, process.env), {
		onProblem: console.complain,
	});
	// No gates: quarantined tools are exactly what must be visible here.
	const gateway = new Gateway({ config, log: console.complain, openTransport: openAuthorized(process.env) });
	gateway.start();
	try {
		await awaitServers(gateway);
		const waiting = quarantine
			.waiting(toolsOf(gateway, quarantine))
			.map((held) => ({ tool: held.tool, why: reasonText(held), changes: changesOf(held) }));
		const chosen = waiting.filter(({ tool }) => line.words.some((word) => patternMatcher(word)(tool.id)));
		if (line.words.length > 0) {
			quarantine.approve(chosen.map(({ tool }) => tool));
			quarantine.write();
		}
		report(line.words.length > 0 ? chosen : waiting, line.words.length > 0, line.json, console);
		const unasked = gateway.upstreams.all.filter(({ state }) => state.kind !== "ready").map(({ spec }) => spec.name);
		if (unasked.length > 0) console.complain(`not asked, so their tools are not known: ${unasked.join(", ")}`);
		return line.words.length > 0 && chosen.length === 0 ? 1 : 0;
	} finally {
		await gateway.stop();
	}
}

/** Includes quarantined tools that a server showed only to some other client, as they are not in our catalogue. */
function toolsOf({ catalog, upstreams }: Gateway, quarantine: Quarantine): readonly CatalogTool[] {
	const namespaces = new Set(upstreams.all.map(({ spec }) => spec.namespace));
	const held = quarantine.held().filter(({ id, namespace }) => namespaces.has(namespace) && !catalog.get(id));
	return [...catalog.tools, ...held];
}

function reasonText({ changed, since }: Quarantined): string {
	if (changed.length === 0) return "new";
	return `${changed.join(" and ")} changed${since === undefined ? "" : ` since ${since}`}`;
}

type Entry = { readonly tool: CatalogTool; readonly why: string; readonly changes: readonly Change[] };

/** Shows what changed, so that nobody approves a text unseen. */
function report(entries: readonly Entry[], approved: boolean, json: boolean, console: Console): void {
	if (json) {
		console.out(
			JSON.stringify(
				entries.map(({ tool, why, changes }) => ({
					id: tool.id,
					reason: why,
					approved,
					...(changes.length > 0 && { changes }),
				})),
			),
		);
		return;
	}
	const width = Math.max(...entries.map(({ tool }) => tool.id.length));
	for (const { tool, why, changes } of entries) {
		console.tell(`${console.bold(tool.id.padEnd(width))}  ${approved ? "approved" : why}`);
		if (!approved) for (const line of changes.flatMap(changeLines)) console.tell(`  ${line}`);
	}
	if (entries.length === 0)
		console.error(approved ? "nothing by that name waits for approval" : "nothing waits for approval");
}
