import { cvss2Score } from "./cvss2.ts";
import { cvss3Score } from "./cvss3.ts";
import { cvss4Score } from "./cvss4.ts";
import { BadVector, readMetrics } from "./cvssVector.ts";

/**
 * The score of a CVSS vector, or the reason why it cannot be scored. For versions 2.0, 3.0 and 3.1 this is the base
 * score; 4.0 includes all metrics.
 */
export function cvssScore(vector: string): number | BadVector {
	const version = cvssVersion(vector);
	if (version === undefined)
		return new BadVector(`only CVSS 2.0, 3.0, 3.1 and 4.0 are scored, got ${vector.slice(0, 40)}`);
	try {
		return SCORES[version](readMetrics(vector.trim().replace(PREFIX, "").split("/")));
	} catch (error) {
		if (error instanceof BadVector) return new BadVector(`CVSS:${version}: ${error.message}`);
		throw error;
	}
}

/** Version 2.0 has no prefix, but only it has the metric `Au`. */
export function cvssVersion(vector: string): CvssVersion | undefined {
	const version = PREFIX.exec(vector.trim())?.[1] ?? (/^(?:\w+:\w+\/)*Au:/.test(vector.trim()) ? "2.0" : "");
	return Object.hasOwn(SCORES, version) ? (version as CvssVersion) : undefined;
}

const PREFIX = /^CVSS:([^/]*)\//;

const SCORES = { "2.0": cvss2Score, "3.0": cvss3Score, "3.1": cvss3Score, "4.0": cvss4Score } as const;
export type CvssVersion = keyof typeof SCORES;
