/** What a build and the status of its index say of a history that git could not read whole. */
export function historyWarnings(fault: string | undefined): string[] {
	return fault === undefined || fault === "" ? [] : [`git could not read the whole history: ${fault}`];
}
