import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue.ts";
import type { TextModule } from "../../text/textModule.ts";
import { KEYWORDS } from "../dialect.ts";
import { DRAFT_2020_12, type Located, type SchemaRegistry, type SchemaResource } from "../schemaRegistry.ts";

/** Keywords that rules can express. A schema with others becomes a rule that never matches, so the validator decides. */
const SAYABLE: ReadonlySet<string> = new Set([
	"$ref",
	"additionalProperties",
	"allOf",
	"anyOf",
	"const",
	"enum",
	"items",
	"maxItems",
	"maxLength",
	"maximum",
	"minItems",
	"minLength",
	"minimum",
	"properties",
	"required",
	"type",
]);

// Must match the layout in `assembly/rules.ts`.
const RULE_BYTES = 68;
const SLOT_WORDS = 4;
const NOTHING = 0;
const KINDS: Readonly<Record<string, number>> = {
	null: 1,
	boolean: 2,
	string: 4,
	number: 8,
	integer: 16,
	array: 32,
	object: 64,
};
const ANY_KIND = 127;
const MOST_REQUIRED = 64;
// Limited because choices are compared one by one.
const MOST_CHOICES = 64;
const LARGEST_WORD = 0xffff_ffff;

/** Translates schemas that have compiled, and are therefore valid, into rules for the text module, each once. */
export class RuleBook {
	readonly #registry: SchemaRegistry;
	readonly #rules = new Map<object, number>();
	readonly #texts = new Map<string, number>();
	/** The module that will evaluate the rules. */
	readonly module: TextModule;
	/** A rule that no value matches. */
	readonly never: number;

	/** @throws RangeError when the module has no room. */
	constructor(registry: SchemaRegistry, module: TextModule) {
		this.#registry = registry;
		this.module = module;
		this.never = module.allot(RULE_BYTES);
	}

	/** @throws RangeError when the module has no room or the schema nests too deeply. Rules written so far stay valid. */
	ruleFor({ schema, resource }: Located): number {
		if (!isJsonObject(schema)) return schema === true ? NOTHING : this.never;
		const known = this.#rules.get(schema);
		if (known !== undefined) return known;
		const asked = Object.keys(schema).filter((name) => KEYWORDS.has(name));
		if (asked.length === 0) return NOTHING;
		// Zeroed memory is a rule that never matches: safe if it is reached recursively or left unfinished.
		const rule = this.module.allot(RULE_BYTES);
		this.#rules.set(schema, rule);
		if (resource.dialect === DRAFT_2020_12 && asked.every((name) => SAYABLE.has(name)) && isSmall(schema))
			this.#write(rule, schema, resource);
		return rule;
	}

	/** The address of a JSON text in the module's memory, written there on first use. */
	textOf(json: string): number {
		const known = this.#texts.get(json);
		if (known !== undefined) return known;
		const bytes = Buffer.from(json);
		const text = this.module.allot(4 + bytes.length);
		this.module.keep(text, Buffer.concat([wordsOf([bytes.length]), bytes]));
		this.#texts.set(json, text);
		return text;
	}

	#write(rule: number, schema: JsonObject, resource: SchemaResource): void {
		const { type, items = true, additionalProperties = true, $ref, allOf, anyOf } = schema;
		const sub = (value: JsonValue): number => this.ruleFor(this.#registry.placeOf(value, resource, ""));
		const subs = (value: JsonValue | undefined): number[] => (isJsonArray(value) ? value.map(sub) : []);
		const others = sub(additionalProperties);
		const referred = typeof $ref === "string" ? [this.ruleFor(this.#registry.resolve($ref, resource))] : [];
		const required = stringsOf(schema.required);
		const words = wordsOf([
			type === undefined ? ANY_KIND : kindsOf(type),
			numberOr(schema.minLength, 0),
			numberOr(schema.maxLength, LARGEST_WORD),
			numberOr(schema.minItems, 0),
			numberOr(schema.maxItems, LARGEST_WORD),
			this.#choices(schema),
			sub(items),
			this.#names(isJsonObject(schema.properties) ? schema.properties : {}, required, sub, others),
			others,
			this.#list([...referred, ...subs(allOf)]),
			this.#list(subs(anyOf)),
			...bitsOf(2n ** BigInt(required.length) - 1n),
		]);
		const bounds = [
			numberOr(schema.minimum, Number.NEGATIVE_INFINITY),
			numberOr(schema.maximum, Number.POSITIVE_INFINITY),
		];
		this.module.keep(rule, Buffer.concat([words, doublesOf(bounds)]));
	}

	#choices(schema: JsonObject): number {
		const choices = isJsonArray(schema.enum)
			? schema.enum
			: Object.hasOwn(schema, "const")
				? [schema.const]
				: undefined;
		if (choices === undefined) return NOTHING;
		// Arrays and objects can be written in too many ways to compare as text.
		const scalars = choices.filter((choice) => typeof choice !== "object" || choice === null);
		return this.#keep([scalars.length, ...scalars.map((choice) => this.textOf(JSON.stringify(choice)))]);
	}

	#list(rules: readonly number[]): number {
		return rules.length === 0 ? NOTHING : this.#keep([rules.length, ...rules]);
	}

	#names(
		properties: JsonObject,
		required: readonly string[],
		sub: (value: JsonValue) => number,
		others: number,
	): number {
		const names = new Set([...Object.keys(properties), ...required]);
		if (names.size === 0) return NOTHING;
		const mask = 2 ** Math.ceil(Math.log2(2 * names.size)) - 1;
		const table = new Array<number>(1 + SLOT_WORDS * (mask + 1)).fill(0);
		table[0] = mask;
		for (const name of names) {
			const text = this.textOf(JSON.stringify(name));
			let place = this.module.placeOf(text) & mask;
			while (table[1 + SLOT_WORDS * place] !== NOTHING) place = (place + 1) & mask;
			const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
			const index = required.indexOf(name);
			const slot = [
				text,
				property === undefined ? others : sub(property),
				...bitsOf(index === -1 ? 0n : 1n << BigInt(index)),
			];
			table.splice(1 + SLOT_WORDS * place, SLOT_WORDS, ...slot);
		}
		return this.#keep(table);
	}

	#keep(words: readonly number[]): number {
		const at = this.module.allot(4 * words.length);
		this.module.keep(at, wordsOf(words));
		return at;
	}
}

/** Whether the schema fits into a rule: its limits are small enough, and it does not have both `const` and `enum`. */
function isSmall(schema: JsonObject): boolean {
	const counts = [schema.minLength, schema.maxLength, schema.minItems, schema.maxItems];
	if (!counts.every((count) => count === undefined || (Number.isInteger(count) && Number(count) < LARGEST_WORD)))
		return false;
	if (![schema.minimum, schema.maximum].every((bound) => bound === undefined || typeof bound === "number"))
		return false;
	if (isJsonArray(schema.enum) && schema.enum.length > MOST_CHOICES) return false;
	const isChosenTwice = Object.hasOwn(schema, "enum") && Object.hasOwn(schema, "const");
	return stringsOf(schema.required).length <= MOST_REQUIRED && !isChosenTwice;
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
	return typeof value === "number" ? value : otherwise;
}

function kindsOf(type: JsonValue): number {
	return stringsOf(isJsonArray(type) ? type : [type]).reduce((kinds, name) => kinds | (KINDS[name] ?? 0), 0);
}

function stringsOf(value: JsonValue | undefined): string[] {
	return isJsonArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function bitsOf(bits: bigint): [number, number] {
	return [Number(bits & 0xffff_ffffn), Number(bits >> 32n)];
}

function doublesOf(values: readonly number[]): Buffer {
	const bytes = Buffer.alloc(8 * values.length);
	for (const [i, value] of values.entries()) bytes.writeDoubleLE(value, 8 * i);
	return bytes;
}

function wordsOf(words: readonly number[]): Buffer {
	const bytes = Buffer.alloc(4 * words.length);
	for (const [i, word] of words.entries()) bytes.writeUInt32LE(word, 4 * i);
	return bytes;
}
