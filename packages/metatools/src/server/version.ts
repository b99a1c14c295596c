import { createRequire } from "node:module";
import { isObject } from "../contract/json.ts";

const manifest: unknown = createRequire(import.meta.url)("../../package.json");

export const VERSION: string = isObject(manifest) && typeof manifest.version === "string" ? manifest.version : "0.0.0";
