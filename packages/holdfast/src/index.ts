export { type Up, type UpOptions, up } from "./up/up.ts";
