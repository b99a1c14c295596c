import type { Visibility } from "./visibilityRule.ts";

/** Visibility keywords shared by several languages. */
export const ACCESS: Readonly<Record<string, Visibility>> = {
	public: "public",
	private: "private",
	protected: "protected",
	internal: "internal",
};
