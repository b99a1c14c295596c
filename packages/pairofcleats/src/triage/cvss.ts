import { cvss3Score } from "./cvss3.ts";
import { cvss4Score } from "./cvss4.ts";
import { BadVector, readMetrics } from "./cvssVector.ts";

/** The score of a CVSS vector of version 3.0, 3.1 (its base score) or 4.0, or what keeps it from having one. */
export function cvssScore(vector: string): number | BadVector {
	const [version = "", ...parts] = vector.trim().split("/");
	const score = Object.hasOwn(SCORES, version) ? SCORES[version as keyof typeof SCORES] : undefined;
	if (score === undefined) return new BadVector(`only CVSS 3.0, 3.1 and 4.0 are scored, got ${vector.slice(0, 40)}`);
	try {
		return score(readMetrics(parts));
	} catch (error) {
		if (error instanceof BadVector) return new BadVector(`${version}: ${error.message}`);
		throw error;
	}
}

const SCORES = { "CVSS:3.0": cvss3Score, "CVSS:3.1": cvss3Score, "CVSS:4.0": cvss4Score } as const;
