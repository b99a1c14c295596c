import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILES = 250;
const FUNCTIONS_PER_FILE = 40;
/** So many different words, and as many different names. */
const WORDS = 2_048;
const SYLLABLES = "ka lo mi ren tas vul zor bex dim fal gon hep jat nub pru qui".split(" ");

/** Ten thousand functions whose words are as code has them: a few everywhere, most of them rare. */
export function makeRepository(root: string): void {
	mkdirSync(join(root, "src"), { recursive: true });
	for (let file = 0; file < FILES; file++) {
		const text = Array.from({ length: FUNCTIONS_PER_FILE }, (_, at) => {
			const number = file * FUNCTIONS_PER_FILE + at;
			return `export function ${nameOf(number)}(input: string, count: number): string {\n\tfor (let k = 0; k < count; k++) if (input === "${wordOf(number * 7)}") return ${wordOf(number * 13)}(input + k);\n\treturn input;\n}\n`;
		});
		writeFileSync(join(root, "src", `f${file}.ts`), text.join("\n"));
	}
}

/** A name and a word; no two of the first four million queries are the same. */
export function queryOf(at: number): string {
	return `${nameOf(at * 31)} ${wordOf(at * 17 + Math.floor(at / WORDS))}`;
}

function wordOf(number: number): string {
	const digits = [number & 15, (number >> 4) & 15, (number >> 8) & 7];
	return digits.map((digit) => SYLLABLES[digit] ?? "").join("");
}

function nameOf(number: number): string {
	return `${wordOf(number)}${wordOf(number * 3 + 1).replace(/^./, (letter) => letter.toUpperCase())}`;
}
