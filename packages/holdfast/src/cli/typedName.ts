/** The command that people type: in a checkout and under npx, `holdfast` is not on the PATH. */
export function typedName(): string {
	return process.env.npm_execpath === undefined ? "holdfast" : "npx holdfast";
}
