/** A host that replaces itself leaves the path of its capsule here for the program that takes its place. */
const CAPSULE_VARIABLE = "LIBMCP_CAPSULE";
/** Set beside it when the capsule is only to be looked at: can this program take over from it? */
const CHECK_VARIABLE = "LIBMCP_CAPSULE_CHECK";

export type Inheritance = { readonly path: string; readonly checkOnly: boolean };

/** What this process was left, if anything. Taken once, so that no worker inherits it too. */
export function takeInheritance(): Inheritance | undefined {
	const path = process.env[CAPSULE_VARIABLE];
	const checkOnly = process.env[CHECK_VARIABLE] !== undefined;
	delete process.env[CAPSULE_VARIABLE];
	delete process.env[CHECK_VARIABLE];
	return path === undefined ? undefined : { path, checkOnly };
}

export function bequeath(path: string, checkOnly: boolean): NodeJS.ProcessEnv {
	return { ...process.env, [CAPSULE_VARIABLE]: path, ...(checkOnly ? { [CHECK_VARIABLE]: "1" } : {}) };
}
