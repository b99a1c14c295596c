import { readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** A longer chain of links is a cycle. */
const MOST_STEPS = 16;

/** A path and, if it is a symbolic link, everything that it leads through: whoever keeps settings elsewhere edits those. */
export function linkSteps(path: string): readonly string[] {
	const steps = [path];
	for (let at = path; steps.length < MOST_STEPS; steps.push(at)) {
		const target = linkTarget(at);
		if (target === undefined) break;
		at = resolve(dirname(at), target);
	}
	return steps;
}

function linkTarget(path: string): string | undefined {
	try {
		return readlinkSync(path);
	} catch {
		return undefined; // No link.
	}
}
