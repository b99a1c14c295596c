/** Whether the first version of a tool is newer; the one without a version is the newest. */
export function isNewer(a: string | undefined, b: string | undefined): boolean {
	if (a === undefined || b === undefined) return a === undefined;
	const [[release, prerelease], [other, otherPre]] = [partsOf(a), partsOf(b)];
	const order = release.localeCompare(other, "en", { numeric: true });
	if (order !== 0) return order > 0;
	// A release is newer than what came before it under the same number.
	if (prerelease === "" || otherPre === "") return prerelease === "" && otherPre !== "";
	return prerelease.localeCompare(otherPre, "en", { numeric: true }) > 0;
}

/** A version, and the name of its prerelease, if it is one. */
function partsOf(version: string): readonly [string, string] {
	const dash = version.indexOf("-");
	return dash === -1 ? [version, ""] : [version.slice(0, dash), version.slice(dash + 1)];
}
