import { pathToFileURL } from "node:url";
import {
	compareByCodePoint,
	isJsonNumber,
	isJsonObject,
	type JsonObject,
	type JsonValue,
	readMember,
} from "../json/jsonValue.ts";
import type { Settings } from "../settings.ts";
import type { SchemaDocument } from "../validate/schemaRegistry.ts";
import { findExampleSource, findSchemaSource, type JsonFile, readFolder, type Source } from "./folders.ts";

/** A schema file, as `list_schemas` and `get_schema` give it. */
export type SchemaEntry = {
	readonly name: string;
	readonly version: string;
	readonly path: string;
	/** As it is on disk, with its numbers spelt as in the file. Assets are validated against `document`, not this. */
	readonly schema: JsonObject;
	readonly document: SchemaDocument;
};
/** An example file, as `list_examples` and `get_example` give it. */
export type ExampleEntry = {
	readonly component: string;
	readonly path: string;
	/** The path inside the examples folder. */
	readonly inner: string;
	/** As it is on disk, with its numbers spelt as in the file. `asset` is the value to validate. */
	readonly example: JsonObject;
	readonly asset: JsonObject;
};
/** A file or folder that was skipped, and why. */
export type SkippedFile = {
	readonly kind: "schemas" | "examples";
	readonly path: string;
	readonly reason: string;
};

/** Everything that was on disk when the process started; later changes are not seen. */
export type Catalog = {
	readonly schemas: ReadonlyMap<string, SchemaEntry>;
	/** Everything assets can be validated against, by name: the schemas, and files that are only `true` or `false`. */
	readonly rules: ReadonlyMap<string, SchemaDocument>;
	readonly examples: readonly ExampleEntry[];
	/** Everything `$ref` can reach: the schemas, and every other JSON file of their folder. */
	readonly documents: readonly SchemaDocument[];
	readonly skipped: readonly SkippedFile[];
};

/** Reads the folders of schemas and examples. An unusable file is skipped, never thrown for. */
export function loadCatalog(settings: Settings): Catalog {
	const schemas = findSchemaSource(settings);
	const examples = findExampleSource(settings);
	const catalog = createCatalog(
		schemas === undefined ? [] : readFolder(schemas.directory),
		schemas?.prefix ?? "",
		examples === undefined ? [] : readFolder(examples.directory),
		examples?.prefix ?? "",
	);
	const missing = [
		...missingFolder("schemas", schemas, settings.schemasDirectory),
		...missingFolder("examples", examples, settings.examplesDirectory),
	];
	return { ...catalog, skipped: [...missing, ...catalog.skipped] };
}

function missingFolder(
	kind: SkippedFile["kind"],
	source: Source | undefined,
	configured: string | undefined,
): SkippedFile[] {
	return source === undefined && configured !== undefined ? [{ kind, path: configured, reason: "no such folder" }] : [];
}

function createCatalog(
	schemaFiles: readonly JsonFile[],
	schemaPrefix: string,
	exampleFiles: readonly JsonFile[],
	examplePrefix: string,
): Catalog {
	const skipped: SkippedFile[] = [];
	const skipSchema = (path: string, reason: string) =>
		skipped.push({ kind: "schemas", path: schemaPrefix + path, reason });
	const documents = schemaFiles.flatMap(({ path, file, value, spelt, problem }): Required<SchemaDocument>[] => {
		if (problem !== undefined) skipSchema(path, problem);
		return problem === undefined ? [{ uri: pathToFileURL(file).href, label: path, root: value, spelt }] : [];
	});
	const suffix = schemaSuffix(schemaFiles);
	const rules = new Map<string, SchemaDocument>();
	const entries = documents.flatMap((document): SchemaEntry[] => {
		const { label: path, root, spelt } = document;
		if (!isTopLevel(path) || !path.endsWith(suffix)) return [];
		const name = path.slice(0, -suffix.length);
		if (name === "") {
			skipSchema(path, "has no name");
			return [];
		}
		if (isJsonObject(root) || typeof root === "boolean") rules.set(name, document);
		else skipSchema(path, "not a JSON object");
		if (!isJsonObject(spelt)) return [];
		return [{ name, version: readSchemaVersion(spelt), path: schemaPrefix + path, schema: spelt, document }];
	});
	const examples = exampleFiles.flatMap(({ path, value, spelt, problem }): ExampleEntry[] => {
		if (isJsonObject(value) && isJsonObject(spelt))
			return [{ component: componentOf(path), path: examplePrefix + path, inner: path, example: spelt, asset: value }];
		skipped.push({ kind: "examples", path: examplePrefix + path, reason: problem ?? "not a JSON object" });
		return [];
	});
	entries.sort(
		(a, b) =>
			compareByCodePoint(a.name, b.name) ||
			compareByCodePoint(a.version, b.version) ||
			compareByCodePoint(a.path, b.path),
	);
	examples.sort((a, b) => compareByCodePoint(a.component, b.component) || compareByCodePoint(a.path, b.path));
	const schemas = new Map(entries.map((entry) => [entry.name, entry]));
	return { schemas, rules, examples, documents, skipped };
}

// In a folder without any *.schema.json file, every .json file is a schema.
function schemaSuffix(files: readonly JsonFile[]): string {
	return files.some(({ path }) => isTopLevel(path) && path.endsWith(".schema.json")) ? ".schema.json" : ".json";
}

function isTopLevel(path: string): boolean {
	return !path.includes("/");
}

/** An example's component: its file name up to the first dot. */
function componentOf(path: string): string {
	const name = path.slice(path.lastIndexOf("/") + 1);
	return name.slice(0, name.indexOf("."));
}

/** The schema an example is meant for: the one it names, else the one its file name suggests. */
export function findSchemaName(example: JsonValue, fileName: string, isKnown: (name: string) => boolean): string {
	const declared = readMember(example, "schema");
	const reference = readMember(example, "$schemaRef");
	const candidates = [
		...(typeof declared === "string" ? [declared] : []),
		...(typeof reference === "string" ? [baseName(reference)] : []),
		...(fileName.startsWith("SynestheticAsset") ? ["nested-synesthetic-asset"] : []),
		baseName(fileName),
		componentOf(fileName),
	];
	return candidates.find(isKnown) ?? candidates[0] ?? "";
}

function baseName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1).replace(/(\.schema)?\.json$/, "");
}

/** A schema's version: `version`, else `x-schema-version`, else a SemVer segment of its `$id`. */
function readSchemaVersion(schema: JsonValue): string {
	for (const name of ["version", "x-schema-version"]) {
		const value = readMember(schema, name);
		if (typeof value === "string" && value !== "") return value;
		if (isJsonNumber(value)) return typeof value === "number" ? String(value) : value.rawJSON;
	}
	const id = readMember(schema, "$id");
	return typeof id === "string" ? (/(?:^|[/:])v?(\d+\.\d+\.\d+(?:-[\w.]+)?)(?:[/:#]|$)/.exec(id)?.[1] ?? "") : "";
}
