/** Where each grammar comes from. */
export type GrammarSource = {
	readonly package: string;
	readonly file: string;
	/**
	 * V8's optimising compiler needs gigabytes for this grammar's lexer, or crashes. It runs in a separate process with that
	 * compiler off.
	 */
	readonly isolated?: true;
	/** Optimising its lexer takes 100 MB or more, and more time than it saves even over millions of lines. */
	readonly large?: true;
};

/**
 * Built with a recent generator: small lexers that need little memory to compile, so preferred when it has the
 * language.
 */
const RECENT = "@vscode/tree-sitter-wasm";
/** Has the most languages. */
const WIDE = "@cursorless/tree-sitter-wasms";

export const GRAMMARS: Readonly<Record<string, GrammarSource>> = {
	...from(RECENT, "wasm", ["go", "java", "javascript", "php", "python", "rust", "tsx", "typescript"]),
	...from(WIDE, "out", ["html", "lua", "dart", "zig", "haskell", "r", "gdscript", "clojure", "elm", "gleam", "nix"]),
	...large(from(RECENT, "wasm", ["c-sharp", "cpp", "css", "powershell", "ruby"])),
	...large(from(WIDE, "out", ["c", "scala", "elixir", "hcl", "perl"])),
	bash: { package: RECENT, file: "wasm/tree-sitter-bash.wasm", isolated: true },
	kotlin: { package: WIDE, file: "out/tree-sitter-kotlin.wasm", isolated: true },
	swift: { package: WIDE, file: "out/tree-sitter-swift.wasm", isolated: true },
};

function from(name: string, folder: string, grammars: readonly string[]): Record<string, GrammarSource> {
	return Object.fromEntries(
		grammars.map((grammar) => [grammar, { package: name, file: `${folder}/tree-sitter-${grammar}.wasm` }]),
	);
}

function large(sources: Readonly<Record<string, GrammarSource>>): Record<string, GrammarSource> {
	return Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, { ...source, large: true }]));
}
