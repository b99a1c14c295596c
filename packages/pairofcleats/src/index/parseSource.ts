import { classifyPath } from "../discover/classifyPath.ts";
import type { FoundFile } from "../discover/discoverFiles.ts";
import type { SourceText } from "../discover/readSource.ts";
import { type Blame, type LineAuthors, listAuthors } from "../git/blame.ts";
import type { ParsedFile } from "../parse/chunk.ts";
import { parseFile } from "../parse/parseFile.ts";
import type { RiskRules } from "../parse/risk/rules/rules.ts";
import { findModeOfPath, type IndexedFile } from "../segment/indexedFile.ts";

/** Parses a file's text and gathers what the index stores about it. */
export async function parseSource(
	file: FoundFile,
	source: Extract<SourceText, { kind: "text" }>,
	hash: string,
	document: ParsedFile | undefined,
	options: { readonly riskRules: RiskRules | undefined; readonly blame: Blame | undefined },
): Promise<IndexedFile> {
	const record = file.isRecord === true;
	const rules = options.riskRules && { riskRules: options.riskRules };
	const parsed = document ?? (record ? oneRecord(source.text) : await parseFile(file.path, source.text, rules));
	const role = record ? "source" : classifyPath(file.path);
	const blamed: LineAuthors | undefined = record ? undefined : await options.blame?.(file.path);
	return {
		path: file.path,
		mode: record ? "records" : findModeOfPath(file.path),
		role: role === "source" && source.generated ? "generated" : role,
		text: source.text,
		utf8: source.utf8,
		hash,
		bytes: source.bytes,
		parsed,
		...(blamed && {
			authors: [...parsed.chunks, ...parsed.prose].map(({ startLine, endLine }) =>
				listAuthors(blamed, startLine, endLine),
			),
		}),
	};
}

/** A record is always one chunk. */
function oneRecord(text: string): ParsedFile {
	const chunk = {
		startLine: 1,
		endLine: text.split("\n").length,
		start: 0,
		end: text.length,
		kind: "record",
		name: "",
		qualifiedName: "",
	} as const;
	return { language: "json", imports: [], exports: [], chunks: [chunk], prose: [], parseErrors: [], method: "format" };
}
