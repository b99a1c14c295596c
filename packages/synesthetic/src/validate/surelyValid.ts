import { memberName, type RuleMemory, type TextModule } from "../text/textModule.ts";

/** The rule of a schema, and the text that names the member of an asset it does not apply to; 0 for none. */
export type AssetRule = { readonly rule: number; readonly leftOut: number };

/** The rules a module holds, by the names of their schemas. */
export type WrittenRules = {
	readonly memory: RuleMemory;
	readonly schemas: readonly (readonly [name: string, rule: AssetRule])[];
};

const ASSET = memberName("asset");
const SCHEMA = memberName("schema");

/** Whether the arguments of `validate_asset` surely hold a valid asset, told from their text alone; false says nothing. */
export function isSurelyValid(
	module: TextModule,
	bytes: Buffer,
	from: number,
	to: number,
	ruleOf: (schema: string) => AssetRule | undefined,
): boolean {
	if (!module.read(bytes, from, to)) return false;
	const asset = module.member(ASSET);
	const schema = module.stringAt(module.member(SCHEMA));
	const found = asset === 0 || schema === undefined ? undefined : ruleOf(schema);
	return found !== undefined && module.surelyMeets(found.rule, asset, found.leftOut);
}
