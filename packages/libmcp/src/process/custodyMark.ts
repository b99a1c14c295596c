import { CUSTODY_VARIABLE } from "../environment.ts";

/** Identifies one spawned tree. A tree inside a marked one carries both marks, so that ending the outer ends it too. */
export type CustodyMark = string;

export function newCustodyMark(): CustodyMark {
	// Unique is enough here, and loading the crypto module would take longer than spawning the worker.
	const random = Math.floor(Math.random() * 2 ** 48).toString(16);
	return `${process.pid.toString(16)}${process.hrtime.bigint().toString(16)}${random}`;
}

export function markedEnvironment(environment: NodeJS.ProcessEnv, mark: CustodyMark): NodeJS.ProcessEnv {
	const outer = process.env[CUSTODY_VARIABLE];
	return { ...environment, [CUSTODY_VARIABLE]: outer === undefined ? mark : `${outer}:${mark}` };
}

/** Whether an environment block (entries separated by NUL or spaces) belongs to the marked tree. */
export function carriesMark(environmentBlock: string, mark: CustodyMark): boolean {
	const at = environmentBlock.indexOf(`${CUSTODY_VARIABLE}=`);
	if (at === -1) return false;
	const value = /^[0-9a-f:]*/.exec(environmentBlock.slice(at + CUSTODY_VARIABLE.length + 1))?.[0] ?? "";
	return value.split(":").includes(mark);
}
