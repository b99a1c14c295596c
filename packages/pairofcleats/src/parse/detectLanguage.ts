import { LANGUAGES, type Language, PLAIN } from "./languages.ts";

const byExtension = new Map(LANGUAGES.flatMap((language) => language.extensions.map((name) => [name, language])));
const byFileName = new Map(LANGUAGES.flatMap((language) => (language.fileNames ?? []).map((name) => [name, language])));
const byInterpreter = new Map(
	LANGUAGES.flatMap((language) => (language.interpreters ?? []).map((name) => [name, language])),
);
const byId = new Map(LANGUAGES.map((language) => [language.id, language]));

/** By file name, then extension, then the `#!` line; `.h`, `.m` and `.inc` files are distinguished by their content. */
export function detectLanguage(path: string, text: string): Language {
	const name = path.slice(path.lastIndexOf("/") + 1);
	const dot = name.lastIndexOf(".");
	const extension = dot >= 0 ? name.slice(dot + 1).toLowerCase() : "";
	// `Dockerfile.dev` is a Dockerfile, but `Gemfile.lock` is not in the language of a `Gemfile`.
	const variant = dot > 0 && extension !== "lock" ? byFileName.get(name.slice(0, dot)) : undefined;
	const named = byFileName.get(name) ?? byExtension.get(extension) ?? variant;
	if (named?.id === "c" && extension === "h") return headerLanguage(named, text);
	if (extension === "inc") return includedLanguage(text);
	if (
		extension === "m" &&
		!/^\s*(?:#import|@interface|@implementation|@protocol|@class)\b/m.test(text.slice(0, 20_000))
	) {
		return PLAIN;
	}
	return named ?? byInterpreter.get(interpreterOf(text)) ?? PLAIN;
}

/** Names that are neither an id nor an extension. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
	["c++", "cpp"],
	["c#", "csharp"],
	["f#", "fsharp"],
	["golang", "go"],
	["objective-c", "objc"],
	["shell", "bash"],
]);

/**
 * The ids of the languages that a caller names by an id, an extension such as `js`, or another name; empty if it names
 * none.
 */
export function listLanguagesNamed(name: string): readonly string[] {
	const key = name.toLowerCase().replace(/^\./, "");
	const id = (byId.get(OTHER_NAMES.get(key) ?? key) ?? byExtension.get(key))?.id;
	// TSX is TypeScript, too, with a grammar of its own.
	return id === undefined ? [] : id === "typescript" ? ["typescript", "tsx"] : [id];
}

/** A directive of C with what follows it, because `# if the user is unknown` is a comment in many languages. */
const DIRECTIVE =
	/^[ \t]*#[ \t]*(?:include[ \t]*[<"]|ifn?def[ \t]+\w+[ \t]*(?:\/[/*].*)?\r?$|if[ \t]*(?:[!(]|defined\b|(?:[01]|[A-Z_][A-Z0-9_]*)[ \t]*(?:[-<>=!&|+*/(].*)?\r?$)|define[ \t]+(?:\w+\(|[A-Z_][A-Z0-9_]+\b)|pragma[ \t]+\w)/m;

/** Many languages include files of this name. PHP is known by its opening tag, C and C++ by their directives. */
function includedLanguage(text: string): Language {
	const head = text.slice(0, 20_000);
	if (/^\s*<\?php\b/.test(head)) return byId.get("php") ?? PLAIN;
	const c = byId.get("c");
	return c && DIRECTIVE.test(head) ? headerLanguage(c, text) : PLAIN;
}

function headerLanguage(c: Language, text: string): Language {
	const head = text.slice(0, 20_000);
	if (/^\s*(?:@interface|@protocol|#import)\b/m.test(head)) return byId.get("objc") ?? c;
	const cpp =
		/^\s*(?:class\s+\w|namespace\s|template\s*<|using\s+\w|public:|private:|protected:)|\bstd::|#include\s*<[a-z_]+>/m;
	return cpp.test(head) ? (byId.get("cpp") ?? c) : c;
}

function interpreterOf(text: string): string {
	if (!text.startsWith("#!")) return "";
	const end = text.indexOf("\n");
	const words = text
		.slice(2, end < 0 ? 200 : end)
		.trim()
		.split(/\s+/);
	const program = words[0]?.endsWith("/env") ? words.slice(1).find((word) => !word.startsWith("-")) : words[0];
	return (program?.slice(program.lastIndexOf("/") + 1) ?? "").replace(/[\d.]+$/, "");
}
