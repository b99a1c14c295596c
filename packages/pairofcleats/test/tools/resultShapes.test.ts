import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../src/contract/isObject.ts";
import { at, envelopeOf, serve } from "../server/serving.ts";
import { workspaceOf } from "./workspace.ts";

const RECORD = { id: "one", severity: "low" };
const FILES = {
	"a.ts": `export class Gadget {\n\trun(): number {\n\t\treturn 1;\n\t}\n}\n\n${long("spin")}`,
	"copy/a.ts": `export class Gadget {\n\trun(): number {\n\t\treturn 1;\n\t}\n}\n\n${long("spin")}`,
	"report.json": JSON.stringify([{ vulnId: "X-1", title: "gadget", severity: "low", path: "a.ts" }]),
	"lines.jsonl": `${JSON.stringify(RECORD)}\n`,
};

test("the output schemas of search and show_file describe every member of their answers", async (t) => {
	const space = await workspaceOf(t, FILES);
	const { client } = await serve(t, space);
	const listed = at((await client.request("tools/list", {})).result, "/tools");
	assert.ok(Array.isArray(listed));
	const schemaOf = (name: string): unknown =>
		at(
			listed.find((tool) => at(tool, "/name") === name),
			"/outputSchema",
		);
	const ajv = new Ajv2020({ strict: false });
	const checks = new Map(["search", "show_file"].map((name) => [name, ajv.compile(closed(schemaOf(name)))]));
	const described = async (name: string, args: Record<string, unknown>): Promise<unknown> => {
		const { _meta, ...envelope } = envelopeOf(await client.call(name, args));
		const check = checks.get(name);
		assert.ok(
			check?.({ ...envelope, _meta: { schemaVersion: "", toolingVersion: "", ts: "" } }),
			JSON.stringify(check?.errors),
		);
		return envelope;
	};
	await client.call("triage_ingest", { source: "generic", inputPath: "report.json", buildIndex: true });
	const more = { mode: "all", output: "full", explain: true, top: 50 };
	const answers = [
		await described("search", { query: "gadget", ...more }),
		await described("search", { query: "spin", ...more }),
		await described("search", { query: "*", mode: "records" }),
		await described("show_file", { path: "a.ts", startLine: 1, endLine: 2 }),
	];
	const text = JSON.stringify(answers);
	for (const member of ["hits", "whole", "part", "record", "duplicates", "totalLines"])
		assert.ok(text.includes(`"${member}":`), `an answer has ${member}`);
	assert.ok(
		isObject(at(schemaOf("search"), "/properties/result/properties/search/properties/hits/items/properties/path")),
	);
});

/** A function too long for one chunk. */
function long(name: string): string {
	const lines = Array.from({ length: 600 }, (_, line) => `\tconst value${line} = ${line} + other(${line});`);
	return `export function ${name}(): void {\n${lines.join("\n")}\n}\n`;
}

/** The same schema, in which an object may have no member but those that are described. */
function closed(schema: unknown): Record<string, unknown> {
	const copy = JSON.parse(JSON.stringify(schema), (_, value) =>
		isObject(value) && isObject(value.properties) && !("schemaVersion" in value.properties)
			? { ...value, additionalProperties: false }
			: value,
	);
	return copy;
}
