import { CAPSULE_CHECK_VARIABLE, CAPSULE_VARIABLE } from "../environment.ts";

export type Inheritance = { readonly path: string; readonly checkOnly: boolean };

/** The state handed to this process, if any. It can be taken only once, so that no worker inherits it. */
export function takeInheritance(): Inheritance | undefined {
	const path = process.env[CAPSULE_VARIABLE];
	const checkOnly = process.env[CAPSULE_CHECK_VARIABLE] !== undefined;
	delete process.env[CAPSULE_VARIABLE];
	delete process.env[CAPSULE_CHECK_VARIABLE];
	return path === undefined ? undefined : { path, checkOnly };
}

export function passOnCapsule(path: string, checkOnly: boolean): NodeJS.ProcessEnv {
	return { ...process.env, [CAPSULE_VARIABLE]: path, ...(checkOnly ? { [CAPSULE_CHECK_VARIABLE]: "1" } : {}) };
}
