import { BASH } from "./languages/bash.ts";
import { C, CPP } from "./languages/cFamily.ts";
import { CLOJURE } from "./languages/clojure.ts";
import { CSHARP } from "./languages/csharp.ts";
import { CSS, LESS, SCSS } from "./languages/css.ts";
import { DART } from "./languages/dart.ts";
import { JAVASCRIPT, TSX, TYPESCRIPT } from "./languages/ecmascript.ts";
import { ELIXIR } from "./languages/elixir.ts";
import { ELM } from "./languages/elm.ts";
import { GDSCRIPT } from "./languages/gdscript.ts";
import { GLEAM } from "./languages/gleam.ts";
import { GO } from "./languages/go.ts";
import { HASKELL } from "./languages/haskell.ts";
import { HCL } from "./languages/hcl.ts";
import { HTML } from "./languages/html.ts";
import { JAVA } from "./languages/java.ts";
import { KOTLIN } from "./languages/kotlin.ts";
import { LUA } from "./languages/lua.ts";
import { NIX } from "./languages/nix.ts";
import { PERL } from "./languages/perl.ts";
import { PHP } from "./languages/php.ts";
import { POWERSHELL } from "./languages/powershell.ts";
import { PYTHON } from "./languages/python.ts";
import { R } from "./languages/r.ts";
import { RUBY } from "./languages/ruby.ts";
import { RUST } from "./languages/rust.ts";
import { SCALA } from "./languages/scala.ts";
import { SWIFT } from "./languages/swift.ts";
import { ZIG } from "./languages/zig.ts";
import type { GrammarSpec } from "./spec.ts";

/** Specs by grammar name. */
export const SPECS: Readonly<Record<string, GrammarSpec>> = {
	javascript: JAVASCRIPT,
	typescript: TYPESCRIPT,
	tsx: TSX,
	python: PYTHON,
	go: GO,
	rust: RUST,
	java: JAVA,
	kotlin: KOTLIN,
	c: C,
	cpp: CPP,
	"c-sharp": CSHARP,
	ruby: RUBY,
	php: PHP,
	swift: SWIFT,
	scala: SCALA,
	bash: BASH,
	powershell: POWERSHELL,
	perl: PERL,
	css: CSS,
	scss: SCSS,
	less: LESS,
	html: HTML,
	lua: LUA,
	elixir: ELIXIR,
	dart: DART,
	zig: ZIG,
	haskell: HASKELL,
	r: R,
	hcl: HCL,
	gdscript: GDSCRIPT,
	clojure: CLOJURE,
	elm: ELM,
	gleam: GLEAM,
	nix: NIX,
};

type Names = readonly string[];

let names: { readonly spec: Names; readonly rule: Names; readonly assignment: Names; readonly visibility: Names };

/**
 * The same spec with the properties of all specs, in one order, absent ones as `undefined`. The extractor, which reads
 * all languages, would otherwise look each property up, and be optimised again for every language it meets.
 */
export function toOneShape(spec: GrammarSpec): GrammarSpec {
	names ??= allNames();
	const { rule, assignment, visibility } = names;
	return filled(
		{
			...spec,
			definitions: eachFilled(spec.definitions, rule),
			...(spec.assignments && { assignments: eachFilled(spec.assignments, assignment) }),
			...(spec.visibility && { visibility: filled(spec.visibility, visibility) }),
		},
		names.spec,
	);
}

function allNames(): typeof names {
	const specs = Object.values(SPECS);
	return {
		spec: namesIn(specs),
		rule: namesIn(specs.flatMap(({ definitions }) => Object.values(definitions))),
		assignment: namesIn(specs.flatMap(({ assignments }) => Object.values(assignments ?? {}))),
		visibility: namesIn(specs.flatMap(({ visibility }) => visibility ?? [])),
	};
}

function namesIn(objects: readonly object[]): Names {
	return [...new Set(objects.flatMap((one) => Object.keys(one)))];
}

function eachFilled<T extends object>(table: Readonly<Record<string, T>>, all: Names): Record<string, T> {
	return Object.fromEntries(Object.entries(table).map(([key, one]) => [key, filled(one, all)]));
}

function filled<T extends object>(one: T, all: Names): T {
	return Object.fromEntries(all.map((name) => [name, Reflect.get(one, name)])) as T;
}
