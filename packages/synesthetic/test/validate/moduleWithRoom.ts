import { readFileSync } from "node:fs";
import { TextModule } from "../../src/text/textModule.ts";

export const CODE: Uint8Array = readFileSync(new URL("../../dist/text/text.wasm", import.meta.url));

const SCHEMAS_TO_A_MODULE = 100;
let module = new TextModule(CODE);
let schemas = 0;

/** A module for the rules of one more schema: they are never given back, and there is no room for many. */
export function moduleWithRoom(): TextModule {
	if (schemas++ % SCHEMAS_TO_A_MODULE === 0) module = new TextModule(CODE);
	return module;
}
