import type { GrammarSpec } from "../spec.ts";
import { JAVASCRIPT, TSX, TYPESCRIPT } from "./ecmascript.ts";

/** By the name of the grammar's file. */
export const SPECS: Readonly<Record<string, GrammarSpec>> = {
	javascript: JAVASCRIPT,
	typescript: TYPESCRIPT,
	tsx: TSX,
};
