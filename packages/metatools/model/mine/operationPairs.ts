// Summaries of the operations of public web APIs, each with the operation's name, text and parameters.
import { statSync } from "node:fs";
import { dirname, relative } from "node:path";
import { parse } from "yaml";
import { filesIn, type Pair, readText, splitHeadline, toList, toObject, toText } from "./pair.ts";

const MOST_BYTES = 150_000;
/** Of one API; those with hundreds of operations would be most of what is learnt. */
const MOST_OPERATIONS = 60;
const MOST_PARAMETERS = 20;
const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** OpenAPI documents, in YAML or JSON. */
export function* operationPairs(checkout: string): Iterable<Pair> {
	for (const file of filesIn(checkout, /(?:openapi|swagger)\.(?:yaml|json)$/i)) {
		if (statSync(file).size > MOST_BYTES) continue;
		const api = readApi(file);
		const pairs = Object.entries(toObject(api.paths)).flatMap(([path, operations]) =>
			METHODS.flatMap((method) => {
				const operation = toObject(operations)[method];
				return operation === undefined ? [] : (operationPair(method, path, toObject(operation)) ?? []);
			}),
		);
		for (const pair of pairs.slice(0, MOST_OPERATIONS)) yield { ...pair, catalogue: relative(checkout, dirname(file)) };
	}
}

function operationPair(method: string, path: string, operation: Record<string, unknown>): Pair | undefined {
	const summary = toText(operation.summary);
	const described = toText(operation["x-ms-summary"]) || toText(operation.description);
	const [headline, rest] = splitHeadline(described);
	const query = summary === "" ? headline : summary;
	if (query === "") return undefined;
	const parameters = toList(operation.parameters)
		.map(toObject)
		.filter((parameter) => toText(parameter.name) !== "")
		.slice(0, MOST_PARAMETERS)
		.map((parameter) => [toText(parameter.name), toText(parameter.description)] as const);
	const name = toText(operation.operationId) || `${method} ${path.replaceAll(/[{}/]/g, " ")}`;
	const description = summary === "" || summary === described ? rest : described;
	return { kind: "text", catalogue: "", query, tool: { name, description: description.slice(0, 600), parameters } };
}

function readApi(file: string): Record<string, unknown> {
	try {
		const text = readText(file).replace(/^\uFEFF/, "");
		return toObject(file.endsWith("json") ? JSON.parse(text) : parse(text, { strict: false, logLevel: "silent" }));
	} catch {
		// A few of the documents cannot be read; there are thousands.
		return {};
	}
}
