import type { Visibility } from "./spec.ts";

/** What languages with these four words mean by them. */
export const ACCESS: Readonly<Record<string, Visibility>> = {
	public: "public",
	private: "private",
	protected: "protected",
	internal: "internal",
};
