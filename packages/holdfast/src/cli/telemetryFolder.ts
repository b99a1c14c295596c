import { failureText, userFolder } from "libmcp/command";

/** The folder for servers' telemetry; `undefined` without a state folder, as in some services and containers. */
export function telemetryFolder(log: (line: string) => void): string | undefined {
	try {
		return userFolder("state");
	} catch (error) {
		log(`no telemetry file is written: ${failureText(error)}`);
		return undefined;
	}
}
