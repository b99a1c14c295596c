import { createFault, type Fault, type FaultClass, type FaultFields, type RetryAdvice } from "./fault.ts";

type Row = { readonly class: FaultClass; readonly retry?: RetryAdvice };

/** The function that creates the faults of a table; a row's advice on retrying holds unless a fault has its own. */
export function faultMaker<Code extends string>(
	table: Readonly<Record<Code, Row>>,
): (code: Code, fields: FaultFields) => Fault {
	return (code, fields) => {
		const { class: faultClass, retry } = table[code];
		return createFault(faultClass, code, retry === undefined ? fields : { retry, ...fields });
	};
}
