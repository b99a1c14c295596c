export { runAs } from "./cli/main.ts";
