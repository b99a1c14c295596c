import { type DiscoverOptions, type Discovery, lookAtListing } from "../discover/discoverFiles.ts";

/**
 * The files to compare an index with. While git cannot list the files of an index that it listed before, those stand: a
 * walk finds others, because it knows neither which ignored files are tracked nor a user's own ignore file.
 */
export async function keepLastListing(
	found: Discovery,
	source: string | undefined,
	indexed: Iterable<string>,
	limits: DiscoverOptions,
): Promise<Discovery> {
	const { root, unlisted } = found;
	if (unlisted === undefined || source !== "git") return found;
	const warnings = [`git could not list the files (${unlisted}); new files are missing until it can`];
	// The paths of records are not in the repository, so they count as missing here and are added by the caller.
	const listing = { root, source, paths: [...indexed].sort(), warnings } as const;
	return (await lookAtListing(listing, limits)).found;
}
