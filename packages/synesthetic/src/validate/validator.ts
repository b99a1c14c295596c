import { compareByCodePoint, type JsonValue, measureDepth } from "../json/jsonValue.ts";
import { describeSavedAnswer, findDocumentMember } from "../results.ts";
import type { TextModule } from "../text/textModule.ts";
import { Compiler, findEndlessReference } from "./compiler.ts";
import { type Dialect, findDialect } from "./dialect.ts";
import { evaluate, Run, type SchemaNode, type Violation } from "./evaluation.ts";
import { RuleBook } from "./rules/ruleBook.ts";
import type { AssetRule } from "./rules/surelyValid.ts";
import {
	DRAFT_2020_12,
	type Located,
	loadMetaschemas,
	type SchemaDocument,
	SchemaProblem,
	SchemaRegistry,
} from "./schemaRegistry.ts";

/** Violations sorted by path, then message; empty when the value is valid. */
export type Verdict = readonly Violation[];

const NO_TEXT = 0;
// A stack overflow on a value with fewer levels means that the schema recurses endlessly.
const DEEP = 50;

/**
 * Draft 2020-12 validation over a fixed set of documents. A broken schema, a reference without a target or another
 * draft is a `SchemaProblem`, never a pass. `format` annotates and does not assert, as the draft says.
 */
export class Validator {
	readonly #registry = new SchemaRegistry();
	readonly #compiler: Compiler;
	readonly #documents = new Map<SchemaDocument, Located | SchemaProblem>();
	readonly #inspected = new Map<SchemaDocument, SchemaProblem | undefined>();
	readonly #rules = new Map<SchemaDocument, number>();
	#book: RuleBook | undefined;

	constructor(documents: Iterable<SchemaDocument>) {
		const trusted = loadMetaschemas();
		for (const document of trusted) {
			this.#documents.set(document, this.#registry.add(document));
			this.#inspected.set(document, undefined);
		}
		for (const document of documents) this.#documents.set(document, this.#add(document));
		this.#compiler = new Compiler(this.#registry, (document, part) => this.#inspect(document, part));
	}

	/** All files that may refer to each other. */
	get documents(): Iterable<SchemaDocument> {
		return this.#documents.keys();
	}

	/** @throws SchemaProblem when the document is no usable schema. */
	validate(document: SchemaDocument, value: JsonValue): Verdict {
		return judge(this.#compile(this.#locatedOf(document)), value);
	}

	/** @throws SchemaProblem when the document is no usable schema, or checking some value against it would never end. */
	assertUsable(document: SchemaDocument): void {
		const start = this.#locatedOf(document);
		this.#compile(start);
		const endless = findEndlessReference(start, this.#registry);
		if (endless !== undefined) throw refersToItself(`${endless.resource.document.label}#${endless.pointer}`);
	}

	/** The rule for recognising valid values without parsing, if the schema has one and it fits into the module. */
	ruleOf(document: SchemaDocument, module: TextModule, leftOut?: string): AssetRule | undefined {
		try {
			const book = this.#bookIn(module);
			const rule = this.#ruleFor(document, book);
			return { rule, leftOut: leftOut === undefined ? NO_TEXT : book.textOf(JSON.stringify(leftOut)) };
		} catch (error) {
			if (error instanceof SchemaProblem || error instanceof RangeError) return undefined;
			throw error;
		}
	}

	/** Checks the document, or a part of it, against its metaschema; empty when it is a well-formed schema. */
	checkSchema(document: SchemaDocument, part: JsonValue = document.root): Verdict {
		return judge(this.#compile(this.#metaschemaOf(document)), part);
	}

	/** The target of a reference written in the document's root, or in `from`; undefined if there is none. */
	find(document: SchemaDocument, ref: string, from: JsonValue = document.root): Located | undefined {
		const located = this.#documents.get(document);
		if (located === undefined || located instanceof SchemaProblem) return undefined;
		return this.#registry.find(ref, this.#registry.placeOf(from, located.resource, "").resource);
	}

	/** The dialect of a schema in the document, or in one that the document refers to. */
	dialectOf(document: SchemaDocument, schema: JsonValue): Dialect {
		return findDialect(this.#registry.placeOf(schema, this.#locatedOf(document).resource, "").resource, this.#registry);
	}

	#bookIn(module: TextModule): RuleBook {
		if (this.#book?.module === module) return this.#book;
		this.#book = new RuleBook(this.#registry, module);
		this.#rules.clear();
		return this.#book;
	}

	// Compile first: a broken schema has no rule, even if the parts a rule needs are fine.
	#ruleFor(document: SchemaDocument, book: RuleBook): number {
		const known = this.#rules.get(document);
		if (known !== undefined) return known;
		this.#rules.set(document, book.never);
		const located = this.#locatedOf(document);
		this.#compiler.compile(located);
		const rule = book.ruleFor(located);
		this.#rules.set(document, rule);
		return rule;
	}

	#compile(place: Located): SchemaNode {
		try {
			return this.#compiler.compile(place);
		} catch (error) {
			if (error instanceof RangeError) throw new SchemaProblem(`${place.resource.document.label} is nested too deeply`);
			throw error;
		}
	}

	#locatedOf(document: SchemaDocument): Located {
		const located = this.#documents.get(document);
		if (located === undefined) throw new SchemaProblem(`${document.label} is not among the schema files`);
		if (located instanceof SchemaProblem) throw located;
		return located;
	}

	#add(document: SchemaDocument): Located | SchemaProblem {
		try {
			return this.#registry.add(document);
		} catch (error) {
			if (error instanceof SchemaProblem) return error;
			throw error;
		}
	}

	/** @throws SchemaProblem when the document is no usable schema, or its part is not a schema. */
	#inspect(document: SchemaDocument, part?: Located): void {
		if (!this.#inspected.has(document)) {
			// Set first, because checking a custom metaschema may lead back here.
			this.#inspected.set(document, undefined);
			this.#inspected.set(document, this.#problemOf(document));
		}
		const problem = this.#inspected.get(document);
		if (problem !== undefined) throw problem;
		const malformed = part && this.#malformed(document, part.schema, part.pointer);
		if (malformed !== undefined) throw malformed;
	}

	#problemOf(document: SchemaDocument): SchemaProblem | undefined {
		try {
			const located = this.#documents.get(document);
			if (located instanceof SchemaProblem) return located;
			if (located !== undefined) findDialect(located.resource, this.#registry);
			// Its members are no keywords, so it would accept everything.
			if (findDocumentMember(document.root) === "schema")
				return new SchemaProblem(`${document.label} ${describeSavedAnswer("schema")}`);
			return this.#malformed(document, document.root, "");
		} catch (error) {
			if (error instanceof SchemaProblem) return error;
			throw error;
		}
	}

	#malformed(document: SchemaDocument, part: JsonValue, pointer: string): SchemaProblem | undefined {
		const [first] = this.checkSchema(document, part);
		if (first === undefined) return undefined;
		const place = JSON.stringify(pointer + first.path);
		return new SchemaProblem(`${document.label} is not a draft 2020-12 schema: at ${place}, ${first.msg}`, "malformed");
	}

	#metaschemaOf(document: SchemaDocument): Located {
		const located = this.#documents.get(document);
		const dialect =
			located === undefined || located instanceof SchemaProblem ? DRAFT_2020_12 : located.resource.dialect;
		const from = [...this.#documents.values()].find((place): place is Located => !(place instanceof SchemaProblem));
		const metaschema =
			from && (this.#registry.find(dialect, from.resource) ?? this.#registry.find(DRAFT_2020_12, from.resource));
		if (metaschema === undefined) throw new SchemaProblem("the draft 2020-12 metaschema is not loaded");
		return metaschema;
	}
}

function judge(node: SchemaNode, value: JsonValue): Verdict {
	try {
		const run = new Run();
		evaluate(node, value, run, undefined, undefined);
		return run.violations.sort((a, b) => compareByCodePoint(a.path, b.path) || compareByCodePoint(a.msg, b.msg));
	} catch (error) {
		if (error instanceof RangeError) return [bottomless(node, value)];
		throw error;
	}
}

// Explains an exhausted call stack: the schema refers to itself without end, or the value nests too deeply.
function bottomless({ location }: SchemaNode, value: JsonValue): Violation {
	const levels = measureDepth(value);
	if (levels < DEEP) throw refersToItself(location);
	const msg = `nested too deeply to be checked: ${levels} levels`;
	return { path: "", msg, keyword: "", schemaPath: location, within: [] };
}

function refersToItself(location: string): SchemaProblem {
	return new SchemaProblem(`${location} refers to itself without end`);
}
