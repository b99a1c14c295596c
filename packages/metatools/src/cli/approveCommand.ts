import { patternMatcher } from "../catalog/pattern.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { type Quarantine, type Quarantined, quarantineGate, readQuarantine } from "../quarantine/quarantine.ts";
import { Gateway } from "../server/gateway.ts";
import { configured } from "./configured.ts";
import type { Console } from "./console.ts";
import { readFlags } from "./flags.ts";
import { settled } from "./settled.ts";

/** Without tools: what waits for approval and why. With tools: approves them as their servers describe them now. */
export async function approveCommand(argv: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv);
	const config = configured(line, console);
	const quarantine = quarantineGate(readQuarantine(config.sections.quarantine, process.env), {
		onProblem: console.complain,
	});
	// No gates: quarantined tools are exactly what must be visible here.
	const gateway = new Gateway({ config, log: console.complain });
	gateway.start();
	try {
		await settled(gateway);
		const waiting = quarantine
			.waiting(toolsOf(gateway, quarantine))
			.map((held) => ({ tool: held.tool, why: reason(held) }));
		const chosen = waiting.filter(({ tool }) => line.words.some((word) => patternMatcher(word)(tool.id)));
		if (line.words.length > 0) {
			quarantine.approve(chosen.map(({ tool }) => tool));
			quarantine.write();
		}
		report(line.words.length > 0 ? chosen : waiting, line.words.length > 0, line.json, console);
		return line.words.length > 0 && chosen.length === 0 ? 1 : 0;
	} finally {
		await gateway.stop();
	}
}

/** With those that the servers here showed to a client of theirs, and not to this one. */
function toolsOf({ catalog, upstreams }: Gateway, quarantine: Quarantine): readonly CatalogTool[] {
	const namespaces = new Set(upstreams.all.map(({ spec }) => spec.namespace));
	const held = quarantine.held().filter(({ id, namespace }) => namespaces.has(namespace) && !catalog.get(id));
	return [...catalog.tools, ...held];
}

function reason({ changed, since }: Quarantined): string {
	if (changed.length === 0) return "new";
	return `${changed.join(" and ")} changed${since === undefined ? "" : ` since ${since}`}`;
}

function report(
	entries: readonly { readonly tool: CatalogTool; readonly why: string }[],
	approved: boolean,
	json: boolean,
	console: Console,
): void {
	if (json) {
		console.out(JSON.stringify(entries.map(({ tool, why }) => ({ id: tool.id, reason: why, approved }))));
		return;
	}
	const width = Math.max(...entries.map(({ tool }) => tool.id.length));
	for (const { tool, why } of entries)
		console.tell(`${console.bold(tool.id.padEnd(width))}  ${approved ? "approved" : why}`);
	if (entries.length === 0)
		console.error(approved ? "nothing by that name waits for approval" : "nothing waits for approval");
}
