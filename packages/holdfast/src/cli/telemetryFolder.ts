import { failureText, userFolder } from "libmcp/launch";

/** Where servers' telemetry is written; without a state folder, as in some services and containers, it is not. */
export function telemetryFolder(log: (line: string) => void): string | undefined {
	try {
		return userFolder("state");
	} catch (error) {
		log(`no telemetry file is written: ${failureText(error)}`);
		return undefined;
	}
}
