import { isJsonObject, type JsonValue, readMember } from "../json/jsonValue.ts";
import { ARRAY_APPLICATORS, UNEVALUATED } from "./keywords/arrays.ts";
import { ASSERTIONS } from "./keywords/assertions.ts";
import type { KeywordTable } from "./keywords/keyword.ts";
import { LOGIC } from "./keywords/logic.ts";
import { OBJECT_APPLICATORS } from "./keywords/objects.ts";
import { DRAFT_2020_12, SchemaProblem, type SchemaRegistry, type SchemaResource } from "./schemaRegistry.ts";

/** The keywords a schema's dialect gives meaning to; `late` ones run after all others. */
export type Dialect = { readonly keywords: KeywordTable; readonly late: KeywordTable };

const VOCABULARY = "https://json-schema.org/draft/2020-12/vocab/";
const { $ref, $dynamicRef, ...LOGIC_APPLICATORS } = LOGIC;
const CORE = pick({ $ref, $dynamicRef });
const APPLICATORS = { ...OBJECT_APPLICATORS, ...ARRAY_APPLICATORS, ...LOGIC_APPLICATORS };
const STANDARD: Dialect = { keywords: { ...ASSERTIONS, ...CORE, ...APPLICATORS }, late: UNEVALUATED };
/** Every keyword that can make a value invalid; all others annotate. */
export const KEYWORDS: ReadonlySet<string> = new Set([
	...Object.keys(STANDARD.keywords),
	...Object.keys(STANDARD.late),
]);
const ANNOTATION_ONLY = ["meta-data", "format-annotation", "content"];

/**
 * The dialect named by `$schema`: draft 2020-12, or a metaschema among the files that is built from its vocabularies. A
 * metaschema without `$vocabulary` has the dialect of its own `$schema`.
 *
 * @throws SchemaProblem for other drafts, whose metaschemas name themselves and so never lead to draft 2020-12.
 */
export function findDialect(resource: SchemaResource, registry: SchemaRegistry): Dialect {
	const passed = new Set<SchemaResource>();
	let described = resource;
	while (described.dialect !== DRAFT_2020_12) {
		const metaschema = passed.has(described) ? undefined : registry.find(described.dialect, described);
		if (metaschema === undefined)
			throw new SchemaProblem(
				`$schema ${JSON.stringify(resource.dialect)} in ${resource.document.label} is not draft 2020-12, the only draft supported`,
			);
		const vocabularies = readMember(metaschema.schema, "$vocabulary");
		if (isJsonObject(vocabularies)) return fromVocabularies(vocabularies, resource);
		passed.add(described);
		described = metaschema.resource;
	}
	return STANDARD;
}

export function hasSameKeywords(one: Dialect, other: Dialect): boolean {
	const names = ({ keywords, late }: Dialect): string =>
		Object.keys({ ...keywords, ...late })
			.sort()
			.join();
	return one === other || names(one) === names(other);
}

function fromVocabularies(vocabularies: { readonly [uri: string]: JsonValue }, resource: SchemaResource): Dialect {
	const names = new Set<string>();
	for (const [uri, required] of Object.entries(vocabularies)) {
		const name = uri.startsWith(VOCABULARY) ? uri.slice(VOCABULARY.length) : "";
		if (["core", "applicator", "unevaluated", "validation", ...ANNOTATION_ONLY].includes(name)) names.add(name);
		else if (required === true)
			throw new SchemaProblem(
				`vocabulary ${JSON.stringify(uri)}, which ${resource.document.label} requires, is not supported`,
			);
	}
	return {
		keywords: {
			...CORE,
			...(names.has("applicator") ? APPLICATORS : {}),
			...(names.has("validation") ? ASSERTIONS : {}),
		},
		late: names.has("unevaluated") ? UNEVALUATED : {},
	};
}

function pick(table: Readonly<Record<string, KeywordTable[string] | undefined>>): KeywordTable {
	return Object.fromEntries(Object.entries(table).flatMap(([name, compiler]) => (compiler ? [[name, compiler]] : [])));
}
