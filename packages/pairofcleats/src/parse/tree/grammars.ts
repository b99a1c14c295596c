/** Where each grammar comes from. */
export type GrammarSource = {
	readonly package: string;
	readonly file: string;
	/** Optimising its lexer takes from 100 MB to gigabytes, and more time than it saves even over millions of lines. */
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
	...large(from(RECENT, "wasm", ["bash", "c-sharp", "cpp", "css", "powershell", "ruby"])),
	...large(from(WIDE, "out", ["c", "scala", "elixir", "hcl", "kotlin", "perl", "swift"])),
};

function from(name: string, folder: string, grammars: readonly string[]): Record<string, GrammarSource> {
	return Object.fromEntries(
		grammars.map((grammar) => [grammar, { package: name, file: `${folder}/tree-sitter-${grammar}.wasm` }]),
	);
}

function large(sources: Readonly<Record<string, GrammarSource>>): Record<string, GrammarSource> {
	return Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, { ...source, large: true }]));
}
