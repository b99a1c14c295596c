import { diffText } from "../diff/diffText.ts";
import type { PlainFrame } from "./plainFrame.ts";
import { LARGEST_READ_BY_HOST } from "./sizeLimit.ts";

const LONGEST_PATCH = 1024 * 1024;

/**
 * The result of a plain diff_assets, if the host can compute it. That is faster than asking a worker, and safe: the
 * text module can access nothing but its own memory.
 */
export function differenceIn({ method, paramsStart }: PlainFrame, frame: Buffer): string | Buffer | undefined {
	if (method !== "diff_assets" || frame.length > LARGEST_READ_BY_HOST) return undefined;
	try {
		return diffText(frame, paramsStart, frame.length - 1, { parsing: false, longest: LONGEST_PATCH });
	} catch {
		// The module trapped: leave the request to the worker, which can be replaced if it does too.
		return undefined;
	}
}
