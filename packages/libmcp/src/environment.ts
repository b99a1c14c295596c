/** Every environment variable libmcp reads or sets, in one place. */
export const CUSTODY_VARIABLE = "LIBMCP_CUSTODY";
/** Set for every worker, so that it can tell that a host started it. */
export const HOSTED_VARIABLE = "LIBMCP_HOSTED";
/** A host that replaces its own program leaves the path of its capsule here for the program that takes its place. */
export const CAPSULE_VARIABLE = "LIBMCP_CAPSULE";
/** Set beside it when the new program should only check that it can read the capsule, and then exit. */
export const CAPSULE_CHECK_VARIABLE = "LIBMCP_CAPSULE_CHECK";
/** Marks everything a session of the testkit starts, so that what is left of it can be found. */
export const TEST_SESSION_VARIABLE = "LIBMCP_TEST_SESSION";

/** Set by a host for its workers: list changes announced by the worker reach the client. */
export function isHosted(): boolean {
	return process.env[HOSTED_VARIABLE] === "1";
}

/** True when this process was started to continue another host's session. */
export function isHeir(): boolean {
	return process.env[CAPSULE_VARIABLE] !== undefined;
}
