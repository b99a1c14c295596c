import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { detectLanguage } from "../../src/parse/detectLanguage.ts";
import { isQuestion, type Pair } from "./pair.ts";

const MOST_COMMITS = 2_500;
const MOST_HUNKS = 2;
const UNTELLING =
	/^(?:merge|revert|bump|release|version|v?\d|update (?:dependenc|changelog|readme)|chore|ci\b|build\(deps|prepare|wip\b)/i;

/** What a commit says it does, and the lines it wrote: from the newest commits that touch few files. */
export async function commitPairs(checkout: string): Promise<Pair[]> {
	const git = spawn(
		"git",
		[
			"-C",
			checkout,
			"log",
			"--no-merges",
			`--max-count=${MOST_COMMITS}`,
			"--no-color",
			"--unified=3",
			"-p",
			"--format=%x00%s",
			"--diff-filter=AM",
		],
		{ stdio: ["ignore", "pipe", "ignore"] },
	);
	const pairs: Pair[] = [];
	let subject = "";
	let path = "";
	let hunks = 0;
	let hunk: string[] = [];
	const flush = () => {
		const code = hunk.join("\n");
		if (hunk.length >= 3 && code.length > 60 && hunks < MOST_HUNKS && path !== "" && isTelling(subject)) {
			pairs.push({ kind: "commit", query: clean(subject), code: code.slice(0, 4_000), path });
			hunks += 1;
		}
		hunk = [];
	};
	for await (const line of createInterface({ input: git.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
		if (line.startsWith("\0")) {
			flush();
			subject = line.slice(1);
			hunks = 0;
			path = "";
		} else if (line.startsWith("+++ ")) {
			flush();
			const file = line.slice(6);
			path = isSource(file) ? file : "";
		} else if (line.startsWith("@@")) flush();
		else if (path !== "" && line.startsWith("+") && line.length < 300 && hunk.length < 60) hunk.push(line.slice(1));
	}
	flush();
	return pairs;
}

function isTelling(subject: string): boolean {
	return !UNTELLING.test(subject) && isQuestion(`${subject} xx`);
}

/** Without issue numbers and conventional prefixes. */
function clean(subject: string): string {
	return subject.replace(/\(?#\d+\)?/g, " ").replace(/^\w+(?:\([\w-]+\))?!?:\s*/, "");
}

function isSource(path: string): boolean {
	const language = detectLanguage(path, "");
	return language.parser !== undefined
		? "grammar" in language.parser
		: !/\.(?:lock|sum|svg|csv|snap)$/.test(path) && language.id !== "plain";
}
