import { compareByCodePoint, isJsonArray, isJsonObject, type JsonObject, readMember } from "../json/jsonValue.ts";
import { writePointerStep } from "../json/pointer.ts";
import { AnswerSize, CUT_OFF } from "../results.ts";
import { describeValue, joinValues } from "../validate/describe.ts";
import { compileExpression } from "../validate/keywords/assertions.ts";
import { type Located, type SchemaDocument, SchemaProblem } from "../validate/schemaRegistry.ts";
import { type SchemaSubject, walkSchema } from "./schemaArgument.ts";

/** An error makes the schema unusable; a warning points at a likely mistake. */
export type LintFinding = { readonly severity: "error" | "warning"; readonly path: string; readonly msg: string };

/** Checks a schema against the metaschema, resolves its references, and looks for likely mistakes. */
export function lintSchema(subject: SchemaSubject): LintFinding[] {
	return withinSize(subject).sort((a, b) => compareByCodePoint(a.path, b.path) || compareByCodePoint(a.msg, b.msg));
}

function withinSize(subject: SchemaSubject): LintFinding[] {
	const findings: LintFinding[] = [];
	const size = new AnswerSize();
	for (const find of [metaschemaFindings, unusableFindings, referenceFindings, doubledIds, warnings]) {
		for (const finding of find(subject)) {
			if (!size.fits(finding.path, finding.msg)) return [...findings, { severity: "warning", path: "", msg: CUT_OFF }];
			findings.push(finding);
		}
	}
	return findings;
}

function* metaschemaFindings({ document, validator }: SchemaSubject): Generator<LintFinding> {
	for (const { path, msg } of validator.checkSchema(document)) yield { severity: "error", path, msg };
}

function* unusableFindings(subject: SchemaSubject): Generator<LintFinding> {
	const { document, validator } = subject;
	const told = new Set<string>();
	for (const { path, check } of unusablePlaces(subject)) {
		const problem = unusable(check);
		if (problem === undefined) continue;
		told.add(problem.message);
		yield { severity: "error", path: problem.path ?? path, msg: problem.message };
	}
	const other = unusable(() => validator.assertUsable(document));
	if (other !== undefined && !told.has(other.message))
		yield { severity: "error", path: other.path ?? "", msg: other.message };
}

type Checked = { readonly path: string; readonly check: () => void };

/** What the metaschema lets pass, but may make a schema unusable. */
function* unusablePlaces({ document, validator }: SchemaSubject): Generator<Checked> {
	for (const { schema, pointer } of walkSchema(document.root)) {
		const at = (...steps: string[]): string => pointer + steps.map(writePointerStep).join("");
		const { $schema, pattern, patternProperties } = schema;
		if ($schema !== undefined) yield { path: at("$schema"), check: () => validator.dialectOf(document, schema) };
		const keywords = keywordsFor(validator, document, schema);
		if (typeof pattern === "string" && keywords.has("pattern"))
			yield { path: at("pattern"), check: () => compileExpression(pattern) };
		if (!isJsonObject(patternProperties ?? null) || !keywords.has("patternProperties")) continue;
		for (const name of Object.keys(patternProperties ?? {}))
			yield { path: at("patternProperties", name), check: () => compileExpression(name) };
	}
}

/** None if the dialect is not known, which is told where it is named. */
function keywordsFor(validator: SchemaSubject["validator"], document: SchemaDocument, schema: JsonObject): Set<string> {
	try {
		return new Set(Object.keys(validator.dialectOf(document, schema).keywords));
	} catch (error) {
		if (error instanceof SchemaProblem) return new Set();
		throw error;
	}
}

function unusable(check: () => void): SchemaProblem | undefined {
	try {
		check();
		return undefined;
	} catch (error) {
		if (error instanceof SchemaProblem) return error.kind === "unusable" ? error : undefined;
		throw error;
	}
}

function* referenceFindings({ document, validator }: SchemaSubject): Generator<LintFinding> {
	for (const { schema, pointer } of walkSchema(document.root)) {
		for (const keyword of ["$ref", "$dynamicRef"]) {
			const ref = readMember(schema, keyword);
			if (typeof ref === "string" && validator.find(document, ref, schema) === undefined)
				yield {
					severity: "error",
					path: pointer + writePointerStep(keyword),
					msg: `${describeValue(ref)} points at nothing among the schema files`,
				};
		}
	}
}

function* doubledIds({ document, validator }: SchemaSubject): Generator<LintFinding> {
	const id = idOf(document);
	if (id === undefined) return;
	const claiming = [...validator.documents].filter((other) => idOf(other) === id);
	for (const { label } of claiming.filter((other) => other !== document))
		yield {
			severity: "warning",
			path: "/$id",
			msg: `${describeValue(id)} is also the $id of ${label}; references from other files reach ${claiming[0]?.label}`,
		};
}

/** The URI that a schema file claims for itself. A schema that is given may be the next version of a file, and claims none. */
function idOf({ root, spelt, uri }: SchemaDocument): string | undefined {
	const id = spelt === undefined ? undefined : readMember(root, "$id");
	return typeof id === "string" ? URL.parse(id, uri)?.href.replace(/#.*$/s, "") : undefined;
}

function* warnings(subject: SchemaSubject): Generator<LintFinding> {
	const used = referenced(subject);
	for (const { schema, pointer, keyword } of walkSchema(subject.document.root)) {
		if ((keyword === "$defs" || keyword === "definitions") && !used.has(schema))
			yield { severity: "warning", path: pointer, msg: "nothing refers to this definition" };
		for (const name of Object.keys(schema))
			if (!KEYWORDS.has(name) && !/^x[-_]/i.test(name) && name !== "version")
				yield {
					severity: "warning",
					path: pointer + writePointerStep(name),
					msg: `${describeValue(name)} is no keyword of draft 2020-12`,
				};
		const undescribed = closedWithout(schema);
		if (undescribed.length > 0)
			yield {
				severity: "warning",
				path: pointer,
				msg: `requires ${joinValues(undescribed)}, which it forbids as additional`,
			};
	}
}

// A definition counts as used when a reference in any file leads to it or into it.
function referenced({ document, validator }: SchemaSubject): Set<unknown> {
	const targets: Located[] = [];
	for (const other of validator.documents) {
		for (const { schema } of walkSchema(other.root)) {
			for (const keyword of ["$ref", "$dynamicRef"]) {
				const ref = readMember(schema, keyword);
				const found = typeof ref === "string" ? validator.find(other, ref, schema) : undefined;
				if (found?.resource.document === document) targets.push(found);
			}
		}
	}
	const used = new Set<unknown>(targets.map(({ schema }) => schema));
	const onTheWay = new Set(targets.map(({ pointer }) => pointer));
	// The set grows during this loop, so that every ancestor is added once.
	for (const pointer of onTheWay) if (pointer !== "") onTheWay.add(pointer.slice(0, pointer.lastIndexOf("/")));
	for (const { schema, pointer } of walkSchema(document.root)) {
		if (
			onTheWay.has(pointer) ||
			readMember(schema, "$id") !== undefined ||
			readMember(schema, "$anchor") !== undefined ||
			readMember(schema, "$dynamicAnchor") !== undefined
		)
			used.add(schema);
	}
	return used;
}

function closedWithout(schema: JsonObject): string[] {
	const { properties, required, additionalProperties, patternProperties } = schema;
	if (additionalProperties !== false || patternProperties !== undefined || !isJsonArray(required ?? null)) return [];
	const known = isJsonObject(properties) ? properties : {};
	return (isJsonArray(required) ? required : []).filter(
		(name): name is string => typeof name === "string" && !Object.hasOwn(known, name),
	);
}

const KEYWORDS = new Set(
	(
		"$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions allOf anyOf oneOf not if " +
		"then else dependentSchemas prefixItems items contains properties patternProperties additionalProperties propertyNames " +
		"unevaluatedItems unevaluatedProperties type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum " +
		"maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required " +
		"dependentRequired format contentEncoding contentMediaType contentSchema title description default deprecated readOnly " +
		"writeOnly examples"
	).split(" "),
);
