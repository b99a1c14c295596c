import { C, CPP } from "./cFamily.ts";
import { CSHARP, SWIFT } from "./csharpSwift.ts";
import { JAVASCRIPT, TSX, TYPESCRIPT } from "./ecmascript.ts";
import { CLOJURE, ELM, GLEAM, NIX } from "./functional.ts";
import { GDSCRIPT } from "./gdscript.ts";
import { JAVA, KOTLIN, SCALA } from "./jvm.ts";
import { CSS, HTML, LESS, SCSS } from "./markup.ts";
import { DART, ELIXIR, HASKELL, HCL, LUA, R, ZIG } from "./others.ts";
import { PYTHON } from "./python.ts";
import { PERL, PHP, RUBY } from "./scripting.ts";
import { BASH, POWERSHELL } from "./shells.ts";
import type { GrammarSpec } from "./spec.ts";
import { GO, RUST } from "./systems.ts";

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
