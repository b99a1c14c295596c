// Tasks and the functions that do them, from public sets for function calling.
import { join } from "node:path";
import { filesIn, type Pair, readRecords, readText, type Tool, toList, toObject, toText } from "./pair.ts";

/** Seal-Tools: invented functions of many fields, each with a description, and tasks for one or several of them. */
export function* sealToolsPairs(checkout: string): Iterable<Pair> {
	const folder = join(checkout, "Seal-Tools_Dataset");
	const tools = new Map<string, { readonly tool: Tool; readonly catalogue: string }>();
	for (const record of readRecords(folder, "tool.jsonl")) {
		const [field = ""] = toText(record.field).split("/");
		const tool = toolOf(toText(record.api_name), toText(record.api_description), record.parameters);
		tools.set(tool.name, { tool, catalogue: `seal ${field}` });
		yield { kind: "text", catalogue: `seal ${field}`, query: tool.description, tool: { ...tool, description: "" } };
	}
	for (const file of ["dev.jsonl", "test_in_domain.jsonl", "test_out_domain.jsonl"])
		for (const { query, calling } of readRecords(folder, file))
			for (const name of new Set(toList(calling).map((call) => toText(toObject(call).api)))) {
				const called = tools.get(name);
				if (called !== undefined) yield { kind: "task", query: toText(query), ...called };
			}
}

/** ToolAlpaca: instructions for simulated public APIs. */
export function* toolAlpacaPairs(checkout: string): Iterable<Pair> {
	for (const file of ["eval_real.json", "eval_simulated.json"]) {
		const apis: readonly Record<string, unknown>[] = JSON.parse(readText(checkout, "data", file) || "[]");
		for (const api of apis) {
			const descriptions = toObject(api.Function_Description);
			for (const [index, instruction] of toList(api.Instructions).entries()) {
				const calls = toList(toList(api.Golden_Answers)[index]).map((call) => toText(toObject(call).Action));
				for (const name of new Set(calls)) {
					const [description = "", parameters = ""] = toText(descriptions[name]).split("\nParameters: ");
					const tool = { ...toolOf(name, description, {}), parameters: namesIn(parameters) };
					if (description !== "")
						yield { kind: "task", catalogue: `alpaca ${api.Name}`, query: toText(instruction), tool };
				}
			}
		}
	}
}

/** APIBench of Gorilla: instructions for models of three hubs; and its collection of API documents. */
export function* gorillaPairs(checkout: string): Iterable<Pair> {
	for (const file of ["torchhub_train", "huggingface_eval", "tensorflow_eval"])
		for (const { code, api_data } of readRecords(checkout, "data/apibench", `${file}.json`)) {
			const query = /Instruction'?: (.*?)(?:\\n|\n)?(?:###Output|, 'Output')/s.exec(toText(code))?.[1] ?? "";
			const data = toObject(api_data);
			const description = `${toText(data.functionality)}. ${toText(data.description)}`;
			const tool = toolOf(`${toText(data.domain)} ${toText(data.api_name)}`, description, data.api_arguments);
			if (query !== "") yield { kind: "task", catalogue: file, query, tool };
		}
	for (const file of filesIn(join(checkout, "data/apizoo"), /\.json$/i)) {
		const entries: unknown = parseLoosely(readText(file));
		for (const entry of toList(entries).map(toObject).slice(0, 250)) {
			const query = toText(entry.functionality).split("\n")[0] ?? "";
			const tool = toolOf(`${toText(entry.api_name)} ${toText(entry.api_call)}`, "", entry.api_arguments);
			if (query !== "") yield { kind: "text", catalogue: file, query, tool };
		}
	}
}

/** API-Bank: conversations in which an assistant calls one of about a hundred functions. */
export function* apiBankPairs(checkout: string): Iterable<Pair> {
	const tools = new Map<string, Tool>();
	for (const [, name = "", description = "", parameters = ""] of readText(
		checkout,
		"api-bank/data/all_apis.csv",
	).matchAll(/"(\w+)\([^"]*\)","description = ""(.*?)""\s*input_parameters = (\{.*?\n\})/gs))
		tools.set(name, { name, description, parameters: namesIn(parameters) });
	for (const file of filesIn(join(checkout, "api-bank/lv1-lv2-samples"), /\.jsonl$/)) {
		let asked: string[] = [];
		for (const turn of readRecords(file)) {
			if (turn.role === "User") asked.push(toText(turn.text));
			const tool = tools.get(toText(turn.api_name));
			if (tool === undefined) continue;
			yield { kind: "task", catalogue: "api-bank", query: asked.join(" "), tool };
			asked = [];
		}
	}
}

/** NESTFUL's tasks over invented functions; those over hotels and flights are kin of test sets and left out. */
export function* nestfulPairs(checkout: string): Iterable<Pair> {
	const folder = join(checkout, "data/non-executable");
	const specs: readonly unknown[] = JSON.parse(readText(folder, "non-executable-glaive-spec.json") || "[]");
	const tools = new Map<string, Tool>();
	for (const spec of specs.map(toObject))
		tools.set(toText(spec.name), toolOf(toText(spec.name), toText(spec.description), spec.query_parameters));
	const tasks: readonly unknown[] = JSON.parse(readText(folder, "non-executable-glaive-data.json") || "[]");
	for (const task of tasks.map(toObject))
		for (const name of new Set(toList(task.output).map((call) => toText(toObject(call).name)))) {
			const tool = tools.get(name);
			if (tool !== undefined) yield { kind: "task", catalogue: "nestful", query: toText(task.input), tool };
		}
}

function toolOf(name: string, description: string, parameters: unknown): Tool {
	const entries = Object.entries(toObject(parameters));
	return {
		name,
		description,
		parameters: entries.map(([key, value]) => [key, toText(value) || toText(toObject(value).description)]),
	};
}

/** The names and texts of parameters that are written as JSON or as Python. */
function namesIn(text: string): Tool["parameters"] {
	return [...text.matchAll(/["'](\w+)["']: (?:"([^"]*)"|\{[^}]*["']description["']: ["']([^"']*))?/g)]
		.filter(([, name]) => name !== "type" && name !== "description")
		.map(([, name = "", plain, inner]) => [name, plain ?? inner ?? ""]);
}

function parseLoosely(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Some of the contributed files are no JSON.
		return [];
	}
}
