import { type Fault, type FaultClass, type FaultFields, faultMaker, type RetryAdvice } from "libmcp";

type FaultRow = { readonly class: FaultClass; readonly retry: RetryAdvice; readonly when: string };

/** Every fault that `holdfast up` reports itself; most faults come from the hosts of its servers. */
export const FAULTS = {
	not_running: { class: "process", retry: "later", when: "a command needs the process of a server that has none now" },
} as const satisfies Readonly<Record<string, FaultRow>>;

export type FaultCode = keyof typeof FAULTS;

/** Creates a fault of the table above. */
export const faultOf: (code: FaultCode, fields: FaultFields) => Fault = faultMaker(FAULTS);
