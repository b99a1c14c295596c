import { memberName, type RuleMemory, type TextModule } from "../../text/textModule.ts";

/** A schema's rule, and the address of the name of an asset's member to ignore (`$schemaRef`); 0 for none. */
export type AssetRule = { readonly rule: number; readonly leftOut: number };

/** The rules a module holds, by the names of their schemas. */
export type WrittenRules = {
	readonly memory: RuleMemory;
	readonly schemas: readonly (readonly [name: string, rule: AssetRule])[];
};

const ASSET = memberName("asset");
const SCHEMA = memberName("schema");

/** True when the text of `validate_asset`'s arguments alone proves the asset valid; false means unknown. */
export function isSurelyValid(
	module: TextModule,
	bytes: Buffer,
	from: number,
	to: number,
	ruleOf: (schema: string) => AssetRule | undefined,
): boolean {
	const found = module.read(bytes, from, to) ? findRule(module, ruleOf) : undefined;
	return found !== undefined && module.surelyMeets(found.rule, found.asset, found.leftOut);
}

/** Finds the asset in the arguments just read, and the rule of the schema that they name. */
export function findRule(
	module: TextModule,
	ruleOf: (schema: string) => AssetRule | undefined,
): (AssetRule & { readonly asset: number }) | undefined {
	const asset = module.member(ASSET);
	const schema = module.stringAt(module.member(SCHEMA));
	const found = asset === 0 || schema === undefined ? undefined : ruleOf(schema);
	return found && { ...found, asset };
}
