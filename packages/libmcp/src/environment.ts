/** Marks a spawned process tree. This file holds every environment variable that libmcp reads or sets. */
export const CUSTODY_VARIABLE = "LIBMCP_CUSTODY";
/** Set for every worker, so that it can tell that a host started it. */
export const HOSTED_VARIABLE = "LIBMCP_HOSTED";
/** A host that replaces its own program leaves the path of its capsule here for the program that takes its place. */
export const CAPSULE_VARIABLE = "LIBMCP_CAPSULE";
/** Set with `CAPSULE_VARIABLE` when the new program should only check that it can read the capsule, and then exit. */
export const CAPSULE_CHECK_VARIABLE = "LIBMCP_CAPSULE_CHECK";
/** Marks every process that a testkit session starts, so that leftovers can be found. */
export const TEST_SESSION_VARIABLE = "LIBMCP_TEST_SESSION";

/** True in a worker that a host started; the host passes the worker's list changes on to the client. */
export function isHosted(): boolean {
	return process.env[HOSTED_VARIABLE] === "1";
}

/** True when this process was started to continue another host's session. */
export function isHeir(): boolean {
	return process.env[CAPSULE_VARIABLE] !== undefined;
}
