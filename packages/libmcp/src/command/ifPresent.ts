import { errorCode } from "../fault/errorCode.ts";

/** Only what is missing is absent. What cannot be read is an error, because it must not look like nothing. */
export function ifPresent<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (errorCode(error) === "ENOENT") return undefined;
		throw error;
	}
}
