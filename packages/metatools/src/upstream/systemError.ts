/** Finds the network or system error behind a thrown value. */
export function systemError(thrown: unknown): (Error & { readonly code: string }) | undefined {
	for (let error = thrown, depth = 0; error instanceof Error && depth < 4; error = error.cause, depth++)
		if (isSystemError(error)) return error;
	return undefined;
}

function isSystemError(error: Error): error is Error & { readonly code: string } {
	return "code" in error && typeof error.code === "string" && /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(error.code);
}
