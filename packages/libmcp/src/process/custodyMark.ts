import { CUSTODY_VARIABLE } from "../environment.ts";

/** Names one spawned tree. A tree spawned inside a marked one carries both names, so that ending the outer ends the inner. */
export type CustodyMark = string;

export function newCustodyMark(): CustodyMark {
	// Uniqueness is enough here: loading the crypto module would delay the first worker by more than its spawn takes.
	const random = Math.floor(Math.random() * 2 ** 48).toString(16);
	return `${process.pid.toString(16)}${process.hrtime.bigint().toString(16)}${random}`;
}

export function markedEnvironment(environment: NodeJS.ProcessEnv, mark: CustodyMark): NodeJS.ProcessEnv {
	const outer = process.env[CUSTODY_VARIABLE];
	return { ...environment, [CUSTODY_VARIABLE]: outer === undefined ? mark : `${outer}:${mark}` };
}

/** Whether an environment block, its entries parted by NUL or spaces, belongs to the tree of that mark. */
export function carriesMark(environmentBlock: string, mark: CustodyMark): boolean {
	const at = environmentBlock.indexOf(`${CUSTODY_VARIABLE}=`);
	if (at === -1) return false;
	const value = /^[0-9a-f:]*/.exec(environmentBlock.slice(at + CUSTODY_VARIABLE.length + 1))?.[0] ?? "";
	return value.split(":").includes(mark);
}
