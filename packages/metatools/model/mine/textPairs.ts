// Short texts beside the thing they describe: actions of services, commands, lists of APIs, entries of a dictionary.
import { basename, dirname, join } from "node:path";
import { filesIn, type Pair, readText, splitHeadline } from "./pair.ts";

const EXAMPLES_OF_ONE = 5;
const MOST_LEMMAS = 6;

/** Activepieces: what each action of a service does, as people and as models are told. */
export function* actionPairs(checkout: string): Iterable<Pair> {
	const folder = join(checkout, "packages/pieces/community");
	for (const file of filesIn(folder, /\/src\/lib\/actions?\/.*\.ts$/)) {
		const text = readText(file);
		const [piece = ""] = file.slice(folder.length + 1).split("/");
		const [name = "", title = "", description = ""] = ["name", "displayName", "description"].map((key) =>
			stringOf(text, new RegExp(`\\b${key}:\\s*`)),
		);
		const guidance = stringOf(text, /\baiMetadata:\s*\{\s*description:\s*/);
		const properties = text.split(/\bprops:/)[1]?.split(/\basync run\b/)[0] ?? "";
		const parameters = [...properties.matchAll(/(\w+): Property\.\w+\(\{([^}]*)/g)].map(
			([, key = "", inside = ""]) => [key, stringOf(inside, /\bdescription:\s*/)] as const,
		);
		const tool = { name: `${piece} ${title || name}`, description, parameters };
		if (title === "" || description === "") continue;
		const [headline, rest] = splitHeadline(guidance);
		yield { kind: "text", catalogue: piece, query: description, tool: { ...tool, description: guidance } };
		if (headline !== "") yield { kind: "text", catalogue: piece, query: headline, tool };
		const use = /Use (?:this )?(?:when|to|for|it when)(?: you need to)? ([^.]+)/.exec(rest)?.[1];
		if (use !== undefined) yield { kind: "text", catalogue: piece, query: use, tool };
	}
}

/** tldr pages: what a command is used for. */
export function* commandPairs(checkout: string): Iterable<Pair> {
	for (const file of filesIn(join(checkout, "pages"), /\.md$/)) {
		const lines = readText(file).split("\n");
		const about = lines.filter((line) => line.startsWith("> ") && !/More information|See also/.test(line));
		const description = about.map((line) => line.slice(2).replaceAll("`", "")).join(" ");
		const tool = { name: basename(file, ".md"), description, parameters: [] };
		const examples = lines.filter((line) => line.startsWith("- "));
		for (const example of examples.slice(0, EXAMPLES_OF_ONE)) {
			const query = example.slice(2).replace(/:$/, "").replaceAll(/[[\]]/g, "");
			yield { kind: "text", catalogue: basename(dirname(file)), query, tool };
		}
	}
}

/** The list of public APIs: name, group and one line about each. */
export function* listPairs(checkout: string): Iterable<Pair> {
	let group = "";
	for (const line of readText(checkout, "README.md").split("\n")) {
		group = /^### (.*)/.exec(line)?.[1] ?? group;
		const [, name = "", description = ""] = /^\| \[([^\]]+)\]\([^)]*\) \| ([^|]+)\|/.exec(line) ?? [];
		if (name === "") continue;
		yield { kind: "text", catalogue: group, query: description, tool: { name, description: group, parameters: [] } };
	}
}

/** WordNet: the words for one meaning, and what they mean. */
export function* meaningPairs(folder: string): Iterable<Pair> {
	for (const part of ["verb", "noun", "adj"])
		for (const line of readText(folder, "dict", `data.${part}`).split("\n")) {
			const [head = "", gloss = ""] = line.split(" | ");
			const [, , , count = "0", ...words] = head.split(" ");
			const lemmas = words.slice(0, 2 * Number.parseInt(count, 16)).filter((_, at) => at % 2 === 0);
			const [meaning = ""] = gloss.split(";");
			if (!/^\d{8} /.test(line) || lemmas.length < 2 || /^[A-Z]/.test(lemmas[0] ?? "")) continue;
			const name = lemmas.slice(0, MOST_LEMMAS).join(" ").replaceAll("_", " ");
			yield {
				kind: "text",
				catalogue: `wordnet ${part}`,
				query: meaning,
				tool: { name, description: "", parameters: [] },
			};
		}
}

/** The string literal that follows a key in source text. */
function stringOf(text: string, key: RegExp): string {
	const at = key.exec(text);
	if (at === null) return "";
	const literal = /^(['"`])((?:\\.|(?!\1)[^\\])*)\1/s.exec(text.slice(at.index + at[0].length));
	return (literal?.[2] ?? "").replaceAll(/\\(.)/gs, "$1").replaceAll(/\s+/g, " ");
}
