import { UsageError } from "libmcp/command";

/** The file that `--config` names. An empty name, which a variable that is not set leaves, would leave its rules out. */
export function configOption({ config }: { readonly config?: string }): { readonly configFile?: string } {
	if (config === "") throw new UsageError("--config: expected a file, got nothing");
	return config === undefined ? {} : { configFile: config };
}
