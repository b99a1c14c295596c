/** Every environment variable libmcp reads or sets, in one place. */
export const CUSTODY_VARIABLE = "LIBMCP_CUSTODY";
export const HOSTED_VARIABLE = "LIBMCP_HOSTED";

/** Set by a host for its workers: list changes announced by the worker reach the client. */
export function isHosted(): boolean {
	return process.env[HOSTED_VARIABLE] === "1";
}
