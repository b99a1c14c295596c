import { maskFormats } from "../contract/maskFormats.ts";
import { configuredSecrets } from "./configuredSecrets.ts";
import type { UpstreamSpec } from "./spec.ts";
import { MASK, withoutSecrets } from "./withoutSecrets.ts";

export type Masker = (text: string) => string;

/** Masks what a server says where it comes in, so that whoever shows it need not think of secrets. */
export function maskerOf(spec: UpstreamSpec): Masker {
	const secrets = configuredSecrets(spec);
	return (text) => maskFormats(withoutSecrets(text, secrets), MASK);
}
