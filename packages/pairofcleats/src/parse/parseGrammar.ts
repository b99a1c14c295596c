import { blankOut, parsedText } from "./blanks.ts";
import type { Diagnostic, ParsedFile } from "./chunk.ts";
import { LineIndex, type LineRange } from "./chunkLines.ts";
import { findEmbeddedLines, insertEmbedded } from "./embedded.ts";
import { assembleChunks } from "./extract/assembleChunks.ts";
import { makeParseError, outline } from "./extract/outline.ts";
import { type CompiledSpec, compileSpec } from "./extract/spec/compileSpec.ts";
import { listFactFields } from "./languageFacts.ts";
import { parseAround } from "./parseAround.ts";
import { analyzeRisk } from "./risk/analyzeRisk.ts";
import { DEFAULT_RISK_RULES } from "./risk/rules/defaultRules.ts";
import { compileRiskTables } from "./risk/rules/riskMatcher.ts";
import type { RiskRules } from "./risk/rules/rules.ts";
import { isWorthAnalyzing, listMeanings } from "./risk/worthALook.ts";
import { SPECS, toOneShape } from "./specs/index.ts";
import { loadStyleGrammar } from "./styles/styleParser.ts";
import { type Grammar, makeFlatTree } from "./tree/flatTree.ts";
import { loadTreeSitterGrammar } from "./tree/treeSitter.ts";

type Ready = { readonly compiled: CompiledSpec; readonly filled: ReadonlySet<string> };
const ready = new Map<string, Promise<Ready | undefined>>();

/** Parses a text with its grammar; `undefined` if the grammar is missing or gives up. */
export async function parseGrammar(
	grammarName: string,
	language: string,
	text: string,
	rules: RiskRules = DEFAULT_RISK_RULES,
): Promise<ParsedFile | undefined> {
	let prepared = ready.get(grammarName);
	if (!prepared) {
		prepared = prepare(grammarName);
		ready.set(grammarName, prepared);
	}
	const found = await prepared;
	if (!found) return undefined;
	const { grammar, spec } = found.compiled;
	const readable = blankOut(text, spec);
	const shown = parsedText(readable, spec);
	const parsed = parseAround(grammar.parse, shown);
	if (!parsed) return undefined;
	// Macros and torn conditions, which only such languages have, stay out of signatures.
	const written = readable === text || spec.conditions ? undefined : text;
	const { count, missing } = parsed.tree;
	const tree = makeFlatTree(readable, parsed.tree, count, missing, written);
	const lines = new LineIndex(text);
	const { segments, prose, errors, exports, later } = outline(tree, found.compiled, lines);
	const imports = new Set(segments.flatMap((segment) => segment.sink.list("imports")));
	const tables = compileRiskTables(rules, language);
	const meanings = listMeanings(
		segments.map((segment) => segment.sink),
		tables,
	);
	const chunks = assembleChunks(segments, lines, found.filled, later, (parts) => {
		const worth = parts.some(({ sink }) => isWorthAnalyzing(sink, tables, meanings));
		return worth ? analyzeRisk(tree, found.compiled, parts, tables, meanings) : undefined;
	});
	const embedded = findEmbeddedLines(tree, found.compiled, lines);
	let page: ParsedFile = {
		language,
		imports: [...imports],
		exports,
		chunks,
		prose,
		parseErrors: withUnread(errors, parsed.unread, lines),
		method: "grammar",
	};
	for (const range of embedded) {
		const inside = text.slice(lines.startOf(range.startLine), lines.endOf(range.endLine));
		const inner = await parseGrammar(range.rule.grammar, range.rule.language, inside, rules);
		if (inner) page = insertEmbedded(page, range, inner, lines);
	}
	return page;
}

/** Reports the lines hidden from the grammar as errors. */
function withUnread(errors: readonly Diagnostic[], unread: readonly LineRange[], lines: LineIndex): Diagnostic[] {
	const hidden = unread.map(({ startLine }) => makeParseError(startLine, lines.lineText(startLine)));
	return [...hidden, ...errors].sort((one, other) => one.line - other.line);
}

async function prepare(grammarName: string): Promise<Ready | undefined> {
	const spec = SPECS[grammarName];
	if (!spec) return undefined;
	return { compiled: compileSpec(toOneShape(spec), await loadGrammar(grammarName)), filled: listFactFields(spec) };
}

const loaded = new Map<string, Promise<Grammar>>();

/** Loads a grammar once per thread. */
export function loadGrammar(name: string): Promise<Grammar> {
	let grammar = loaded.get(name);
	if (!grammar) {
		grammar = load(name);
		loaded.set(name, grammar);
	}
	return grammar;
}

async function load(name: string): Promise<Grammar> {
	return name === "scss" || name === "less" ? loadStyleGrammar(name) : loadTreeSitterGrammar(name);
}
