import type { Fault } from "./fault.ts";

/** Carries a fault as an exception. */
export class FaultError extends Error {
	override readonly name = "FaultError";
	readonly fault: Fault;

	constructor(fault: Fault, options?: ErrorOptions) {
		super(fault.detail, options);
		this.fault = fault;
	}
}
