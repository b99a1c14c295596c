import type { CatalogTool } from "../catalog/tool.ts";
import { compilePattern } from "../catalog/toolId.ts";
import { listChanges, renderChange, renderDefinition } from "../quarantine/changes.ts";
import { createQuarantine, type Quarantine, type Quarantined, readQuarantine } from "../quarantine/quarantine.ts";
import { Gateway } from "../server/gateway.ts";
import { openAuthorized } from "../upstream/login/upstreamProvider.ts";
import { loadCommandConfig } from "./commandConfig.ts";
import type { Console } from "./console.ts";
import { readFlags } from "./flags.ts";
import { awaitServers, fillCatalog, findRunningGateway } from "./runningGateway.ts";
import { selectServers } from "./toolsCommand.ts";

/** Without tool names, lists the tools that wait for approval and why. With names, approves those tools as they are now. */
export async function approveCommand(argv: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv);
	const config = loadCommandConfig(line, console);
	const settings = readQuarantine(config.sections.quarantine, process.env);
	const quarantine = createQuarantine(settings, { onProblem: console.complain });
	const whose = config.file === undefined ? "without a configuration file" : `of the servers in ${config.file}`;
	// No gates: quarantined tools are exactly what must be visible here.
	const gateway = new Gateway({ config, log: console.complain, openTransport: openAuthorized(process.env) });
	const running = await findRunningGateway(config.file, line);
	if (running === undefined) gateway.start(selectServers(line.words));
	else fillCatalog(gateway.catalog, running);
	try {
		if (running === undefined) await awaitServers(gateway);
		const started = gateway.upstreams.all.map(({ spec, state }) => ({ name: spec.name, state: state.kind }));
		const unasked = (running?.servers ?? started).filter(({ state }) => state !== "ready").map(({ name }) => name);
		if (unasked.length > 0) console.complain(`not asked, so their tools are not known: ${unasked.join(", ")}`);
		const waiting = quarantine.waiting(toolsOf(gateway, quarantine, console));
		if (line.words.length === 0) {
			report(waiting, false, line.json, console);
			if (waiting.length === 0) console.error(`${whose} nothing waits for approval`);
			return 0;
		}
		const chosen = waiting.filter(({ tool }) => line.words.some((word) => compilePattern(word)(tool.id)));
		if (chosen.length === 0) throw new Error(`${whose} nothing by that name waits for approval`);
		quarantine.approve(chosen.map(({ tool }) => tool));
		quarantine.write();
		report(chosen, true, line.json, console);
		if (!line.json) console.error(`written to ${settings.file}`);
		return 0;
	} finally {
		await gateway.stop();
	}
}

/**
 * Includes quarantined tools that a server showed only to some other client, or to a gateway after a rollout. What a running
 * gateway serves counts instead of what the configured command shows: approving the latter would hold back the former.
 */
function toolsOf({ catalog, upstreams }: Gateway, quarantine: Quarantine, console: Console): readonly CatalogTool[] {
	const namespaces = new Set(upstreams.all.map(({ spec }) => spec.namespace));
	const waiting = new Set(quarantine.waiting(catalog.tools).map(({ tool }) => tool.id));
	const held = quarantine.held().filter(({ namespace }) => namespaces.has(namespace));
	const unapproved = new Set(quarantine.waiting(held).map(({ tool }) => tool.id));
	const served = quarantine.served();
	for (const { id } of held)
		if (waiting.has(id) && !unapproved.has(id))
			console.complain(
				served.has(id)
					? `${id}: a gateway serves another definition than the configured server has, and that one is approved`
					: `${id}: a gateway was shown another definition than this one, and that one is approved`,
			);
	const instead = new Set(held.flatMap(({ id }) => (served.has(id) ? [id] : [])));
	return [
		...catalog.tools.filter(({ id }) => !instead.has(id)),
		...held.filter(({ id }) => instead.has(id) || !waiting.has(id)),
	];
}

/** Shows what changed, or everything where nothing is known that it differs from, so that nobody approves a text unseen. */
function report(held: readonly Quarantined[], approved: boolean, json: boolean, console: Console): void {
	if (json) {
		console.out(JSON.stringify(held.map((entry) => ({ id: entry.tool.id, ...dataOf(entry), approved }))));
		return;
	}
	const width = Math.max(...held.map(({ tool }) => tool.id.length));
	for (const entry of held) {
		console.tell(`${console.bold(entry.tool.id.padEnd(width))}  ${approved ? "approved" : reasonText(entry)}`);
		const lines = entry.approved === undefined ? renderDefinition(entry.now) : listChanges(entry).flatMap(renderChange);
		for (const line of lines) console.tell(`  ${line}`);
	}
}

function dataOf(entry: Quarantined): object {
	const reason = reasonText(entry);
	return entry.approved === undefined ? { reason, definition: entry.now } : { reason, changes: listChanges(entry) };
}

function reasonText({ changed, since }: Quarantined): string {
	if (changed.length === 0) return "new";
	return `${changed.join(" and ")} changed${since === undefined ? "" : ` since ${since}`}`;
}
