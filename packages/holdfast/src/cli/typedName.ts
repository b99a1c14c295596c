/** What people type to run this: a checkout and npx have it on no PATH. */
export function typedName(): string {
	return process.env.npm_execpath === undefined ? "holdfast" : "npx holdfast";
}
