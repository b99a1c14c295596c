const VARIABLE = "METATOOLS_DEPTH";

// An agent behind a gateway may use that gateway; a third one can only come from gateways that start each other.
const DEEPEST = 1;

/** How many gateways this process was started behind. */
export function gatewayDepth(environment: NodeJS.ProcessEnv): number {
	const depth = Number(environment[VARIABLE] ?? 0);
	return Number.isSafeInteger(depth) && depth > 0 ? depth : 0;
}

/** Tells a server how many gateways it is behind. */
export function oneDeeper(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
	return { [VARIABLE]: String(gatewayDepth(environment) + 1) };
}

/** Throws in a gateway that was started behind others, because a configuration that starts its own gateway never ends. */
export function refuseTooDeep(environment: NodeJS.ProcessEnv, file: string | undefined): void {
	const depth = gatewayDepth(environment);
	if (depth <= DEEPEST) return;
	const where = file === undefined ? "the configuration" : file;
	throw new Error(
		`this gateway was started behind ${depth} others, which would never end; a server in ${where}, or in a file that it imports, starts the gateway itself: take that one out`,
	);
}
