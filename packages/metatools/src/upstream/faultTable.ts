import { type Fault, type FaultClass, type FaultFields, faultMaker, type RetryAdvice } from "libmcp";

type FaultRow = { readonly class: FaultClass; readonly retry: RetryAdvice; readonly when: string };

/** Every fault of a connection that the gateway reports itself; a stdio server's host adds those of libmcp. */
export const FAULTS = {
	connect_timeout: { class: "timeout", retry: "later", when: "it did not start and list its tools in time" },
	connect_refused: { class: "downstream", retry: "later", when: "it answered the handshake with an error" },
	connect_failed: { class: "transport", retry: "later", when: "it could not be reached, or gave no usable answer" },
	connection_lost: { class: "transport", retry: "later", when: "it was connected, and the connection broke" },
	login_required: { class: "downstream", retry: "never", when: "it answers only after a login" },
} as const satisfies Readonly<Record<string, FaultRow>>;

export type FaultCode = keyof typeof FAULTS;

/** Creates a fault of the table above. */
export const faultOf: (code: FaultCode, fields: FaultFields) => Fault = faultMaker(FAULTS);
