import { errorCode } from "../fault/errorCode.ts";
/** Whether a process runs under this id, of this user or another. */
export function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return errorCode(error) === "EPERM";
	}
}
