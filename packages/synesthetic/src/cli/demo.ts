import { Assets } from "../assets.ts";
import { diffDocuments } from "../diff/diffDocuments.ts";
import type { JsonObject } from "../json/jsonValue.ts";
import { suggestFix } from "../schema/suggestFix.ts";
import type { Settings } from "../settings.ts";
import { type Terminal, useSampleSettings } from "./terminal.ts";

/** A tour of the sample set: what is there, what is valid, what a mistake looks like and how it is repaired. */
export function runDemo(settings: Settings, { out, paint }: Terminal): number {
	const assets = new Assets(useSampleSettings(settings));
	const { schemas, examples } = assets.catalog;
	const width = Math.max(...[...schemas.keys(), ...examples.map(({ inner }) => inner)].map((name) => name.length));
	out(paint("bold", "Schemas"));
	for (const { name, version, schema } of schemas.values())
		out(`  ${name.padEnd(width)}  ${version}  ${typeof schema.title === "string" ? schema.title : ""}`);
	out(paint("bold", "Examples"));
	for (const { inner } of examples) {
		const result = assets.getExample(inner);
		const valid = result.ok && "validated" in result && result.validated === true;
		out(`  ${inner.padEnd(width)}  ${valid ? paint("green", "valid") : paint("red", "invalid")}`);
	}
	const [first] = examples;
	const good = examples.find(({ component }) => component === "SynestheticAsset") ?? first;
	if (good === undefined) return 1;
	const broken: JsonObject = { ...good.example, tempo: "96", colour: "red" };
	const verdict = assets.validateAsset(broken, "synesthetic-asset");
	out(paint("bold", "A mistake"));
	if (!verdict.ok && verdict.reason === "validation_failed")
		for (const { path, msg } of verdict.errors) out(`  ${paint("red", path === "" ? "(root)" : path)}  ${msg}`);
	out(paint("bold", "What changed"));
	for (const operation of diffDocuments(good.example, broken)) out(`  ${JSON.stringify(operation)}`);
	out(paint("bold", "What can be repaired without loss"));
	for (const operation of suggestFix(assets, broken, "synesthetic-asset").patch) out(`  ${JSON.stringify(operation)}`);
	out(paint("dim", "Serve this set to a client with: synesthetic --sample"));
	return 0;
}
