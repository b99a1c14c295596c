import { shellWord } from "libmcp/command";

/** Writes a command for a person to run, from its words. */
export type TypedCommand = (...words: readonly string[]) => string;

/** Quotes the words for a shell; `configFile` is needed if the command would not find it by itself. */
export function createTypedCommand(program = "metatools", configFile?: string): TypedCommand {
	const config = configFile === undefined ? [] : ["--config", configFile];
	return (...words) => [program, ...[...words, ...config].map(shellWord)].join(" ");
}
