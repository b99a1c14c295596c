import type { ComponentName } from "./specs/components.ts";

/** How a language's files are recognised and which parser reads them. */
export type Language = {
	readonly id: string;
	/** Name of the grammar, the ordinary parser that reads the format, or the kind of component. */
	readonly parser:
		| { readonly grammar: string }
		| { readonly format: FormatName }
		| { readonly component: ComponentName }
		| undefined;
	readonly extensions: readonly string[];
	readonly fileNames?: readonly string[];
	/** Interpreter names of a `#!` line. */
	readonly interpreters?: readonly string[];
};

export type FormatName = "json" | "jsonl" | "yaml" | "toml" | "markdown" | "sql" | "text";

const grammar = (name: string): { readonly grammar: string } => ({ grammar: name });
const format = (name: FormatName): { readonly format: FormatName } => ({ format: name });

export const LANGUAGES: readonly Language[] = [
	{
		id: "typescript",
		parser: grammar("typescript"),
		extensions: ["ts", "mts", "cts"],
		interpreters: ["ts-node", "tsx"],
	},
	{ id: "tsx", parser: grammar("tsx"), extensions: ["tsx"] },
	{
		id: "javascript",
		parser: grammar("javascript"),
		extensions: ["js", "mjs", "cjs", "jsx", "es6"],
		fileNames: ["Jakefile"],
		interpreters: ["node", "nodejs", "bun", "deno"],
	},
	{
		id: "python",
		parser: grammar("python"),
		extensions: ["py", "pyi", "pyw", "bzl"],
		fileNames: ["SConstruct", "SConscript", "BUILD", "WORKSPACE"],
		interpreters: ["python", "python2", "python3", "pypy"],
	},
	{ id: "go", parser: grammar("go"), extensions: ["go"] },
	{ id: "rust", parser: grammar("rust"), extensions: ["rs"] },
	{ id: "java", parser: grammar("java"), extensions: ["java"] },
	{ id: "kotlin", parser: grammar("kotlin"), extensions: ["kt", "kts"] },
	{ id: "c", parser: grammar("c"), extensions: ["c", "h"] },
	{
		id: "cpp",
		parser: grammar("cpp"),
		extensions: [
			...["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "cu", "cuh"],
			...["tpp", "txx", "tcc", "ixx", "cppm"],
		],
	},
	{ id: "csharp", parser: grammar("c-sharp"), extensions: ["cs", "csx"] },
	{
		id: "ruby",
		parser: grammar("ruby"),
		extensions: ["rb", "rake", "gemspec", "ru", "podspec", "jbuilder"],
		fileNames: ["Rakefile", "Gemfile", "Vagrantfile", "Podfile", "Fastfile", "Guardfile", "Capfile"],
		interpreters: ["ruby"],
	},
	{ id: "php", parser: grammar("php"), extensions: ["php", "phtml", "php5", "php7"], interpreters: ["php"] },
	{ id: "swift", parser: grammar("swift"), extensions: ["swift"] },
	{ id: "scala", parser: grammar("scala"), extensions: ["scala", "sc", "sbt"] },
	{
		id: "bash",
		parser: grammar("bash"),
		extensions: ["sh", "bash", "zsh", "ksh", "bats", "ebuild"],
		fileNames: [".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD"],
		interpreters: ["sh", "bash", "zsh", "ksh", "dash", "ash", "bats"],
	},
	{ id: "sql", parser: format("sql"), extensions: ["sql", "ddl", "psql", "pgsql"] },
	{ id: "html", parser: grammar("html"), extensions: ["html", "htm", "xhtml"] },
	{ id: "vue", parser: { component: "vue" }, extensions: ["vue"] },
	{ id: "svelte", parser: { component: "svelte" }, extensions: ["svelte"] },
	{ id: "astro", parser: { component: "astro" }, extensions: ["astro"] },
	{ id: "css", parser: grammar("css"), extensions: ["css"] },
	{
		id: "json",
		parser: format("json"),
		extensions: ["json", "jsonc", "json5", "webmanifest", "geojson"],
		fileNames: [".babelrc", ".eslintrc"],
	},
	{ id: "jsonl", parser: format("jsonl"), extensions: ["jsonl", "ndjson"] },
	{ id: "yaml", parser: format("yaml"), extensions: ["yaml", "yml"], fileNames: [".clang-format", "CITATION.cff"] },
	{ id: "toml", parser: format("toml"), extensions: ["toml"], fileNames: ["Pipfile"] },
	{ id: "markdown", parser: format("markdown"), extensions: ["md", "markdown", "mdx", "mkd", "mdown"] },
	{
		id: "text",
		parser: format("text"),
		extensions: ["txt", "rst", "adoc", "asciidoc", "tex", "org", "log", "text"],
		fileNames: ["LICENSE", "README", "AUTHORS", "CHANGELOG", "NOTICE", "COPYING", "CONTRIBUTORS", "TODO"],
	},
	{ id: "lua", parser: grammar("lua"), extensions: ["lua", "rockspec"], interpreters: ["lua", "luajit"] },
	{ id: "elixir", parser: grammar("elixir"), extensions: ["ex", "exs"], interpreters: ["elixir"] },
	{ id: "dart", parser: grammar("dart"), extensions: ["dart"] },
	{ id: "zig", parser: grammar("zig"), extensions: ["zig", "zon"] },
	{ id: "scss", parser: grammar("scss"), extensions: ["scss"] },
	{ id: "less", parser: grammar("less"), extensions: ["less"] },
	{ id: "haskell", parser: grammar("haskell"), extensions: ["hs"] },
	{ id: "perl", parser: grammar("perl"), extensions: ["pl", "pm", "t"], interpreters: ["perl"] },
	{ id: "r", parser: grammar("r"), extensions: ["r"], interpreters: ["Rscript"] },
	{ id: "terraform", parser: grammar("hcl"), extensions: ["tf", "tfvars", "hcl"] },
	{ id: "powershell", parser: grammar("powershell"), extensions: ["ps1", "psm1", "psd1"], interpreters: ["pwsh"] },
	{ id: "gdscript", parser: grammar("gdscript"), extensions: ["gd"] },
	{
		id: "clojure",
		parser: grammar("clojure"),
		extensions: ["clj", "cljs", "cljc", "edn", "bb"],
		interpreters: ["bb", "clojure"],
	},
	{ id: "elm", parser: grammar("elm"), extensions: ["elm"] },
	{ id: "gleam", parser: grammar("gleam"), extensions: ["gleam"] },
	{ id: "nix", parser: grammar("nix"), extensions: ["nix"] },
	...plain("objc", ["m", "mm"]),
	...plain("ocaml", ["ml", "mli"]),
	...plain("solidity", ["sol"]),
	...plain("lisp", ["el", "lisp", "scm", "rkt"]),
	...plain("sass", ["sass"]),
	...plain("xml", [
		"xml",
		"xsd",
		"xsl",
		"xslt",
		"svg",
		"plist",
		"csproj",
		"fsproj",
		"vbproj",
		"props",
		"targets",
		"storyboard",
		"xib",
	]),
	...plain("ini", ["ini", "cfg", "conf", "properties", "editorconfig", "env"]),
	...plain("julia", ["jl"], ["julia"]),
	...plain("erlang", ["erl", "hrl"], ["escript"]),
	...plain("fsharp", ["fs", "fsi", "fsx"]),
	...plain("groovy", ["groovy", "gradle"]),
	...plain("protobuf", ["proto"]),
	...plain("graphql", ["graphql", "gql"]),
	...plain("vim", ["vim"]),
	...plain("fortran", ["f", "f90", "f95", "f03", "for"]),
	...plain("pascal", ["pas", "pp", "dpr"]),
	...plain("csv", ["csv", "tsv"]),
	{
		id: "makefile",
		parser: undefined,
		extensions: ["mk", "mak"],
		fileNames: ["Makefile", "makefile", "GNUmakefile"],
		interpreters: ["make"],
	},
	{ id: "dockerfile", parser: undefined, extensions: ["dockerfile"], fileNames: ["Dockerfile", "Containerfile"] },
	{ id: "cmake", parser: undefined, extensions: ["cmake"], fileNames: ["CMakeLists.txt"] },
];

/** Text for which there is no entry above. */
export const PLAIN: Language = { id: "plain", parser: undefined, extensions: [] };

/** Data, prose and style languages, whose files never have functions. */
export const WITHOUT_FUNCTIONS: ReadonlySet<string> = new Set([
	"json",
	"jsonl",
	"yaml",
	"toml",
	"markdown",
	"text",
	"css",
	"xml",
	"ini",
	"csv",
	"dockerfile",
	PLAIN.id,
]);

function plain(id: string, extensions: readonly string[], interpreters: readonly string[] = []): Language[] {
	return [{ id, parser: undefined, extensions, interpreters }];
}
