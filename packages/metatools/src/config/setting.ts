import type { Kind } from "./kinds.ts";

export type Setting = {
	/** Its path in the configuration file. */
	readonly key: string;
	/** METATOOLS_ and the key; spelled out so that every name can be searched for. */
	readonly env: string;
	/** Shorter names that mean the same. */
	readonly envAliases?: readonly string[];
	readonly flag: string;
	readonly short?: string;
	readonly kind: Kind;
	readonly default: string | number | boolean;
	readonly says: string;
};
