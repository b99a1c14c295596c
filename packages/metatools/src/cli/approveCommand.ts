import { patternMatcher } from "../catalog/pattern.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { LOCAL_NAMESPACE } from "../catalog/toolId.ts";
import { Approvals } from "../quarantine/approvals.ts";
import { readQuarantine } from "../quarantine/quarantine.ts";
import { Gateway } from "../server/gateway.ts";
import { configured } from "./configured.ts";
import type { Console } from "./console.ts";
import { readFlags } from "./flags.ts";
import { settled } from "./settled.ts";

/** Without tools: what waits for approval and why. With tools: approves them as their servers describe them now. */
export async function approveCommand(argv: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv);
	const config = configured(line, console);
	const approvals = new Approvals(readQuarantine(config.sections.quarantine, process.env).file, (problem) =>
		console.complain(problem),
	);
	// No gates: what is quarantined must be seen here above all.
	const gateway = new Gateway({ config, log: console.complain });
	gateway.start();
	try {
		await settled(gateway);
		const waiting = gateway.catalog.tools.flatMap((tool) => {
			const why = reason(tool, approvals);
			return tool.namespace === LOCAL_NAMESPACE || why === undefined ? [] : [{ tool, why }];
		});
		const chosen = waiting.filter(({ tool }) => line.words.some((word) => patternMatcher(word)(tool.id)));
		if (line.words.length > 0) {
			approvals.approve(chosen.map(({ tool }) => tool));
			approvals.save();
		}
		report(line.words.length > 0 ? chosen : waiting, line.words.length > 0, line.json, console);
		return line.words.length > 0 && chosen.length === 0 ? 1 : 0;
	} finally {
		await gateway.stop();
	}
}

function reason(tool: CatalogTool, approvals: Approvals): string | undefined {
	const found = approvals.standing(tool);
	switch (found.kind) {
		case "approved":
			return undefined;
		case "changed":
			return `${found.parts.join(" and ")} changed${found.since === tool.id ? "" : ` since ${found.since}`}`;
		case "new":
		case "renumbered":
			return "new";
	}
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
	for (const { tool, why } of entries)
		console.out(`${console.bold(tool.id.padEnd(40))}  ${approved ? "approved" : why}`);
	if (entries.length === 0)
		console.error(approved ? "nothing by that name waits for approval" : "nothing waits for approval");
}
