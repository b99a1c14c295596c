/** A file of markup with scripts and styles in it that is one component. */
export type ComponentSpec = {
	/** Grammars by what a `lang` or `type` says; under the empty name those of a tag that says nothing. */
	readonly script: Readonly<Record<string, string>>;
	readonly style: Readonly<Record<string, string>>;
	/** Grammar of the script between lines of dashes at the top. */
	readonly frontmatter?: string;
};

export type ComponentName = "vue" | "svelte" | "astro";

const SCRIPT = {
	...Object.fromEntries(
		["", "js", "jsx", "javascript", "ecmascript", "babel", "module"].map((lang) => [lang, "javascript"]),
	),
	ts: "typescript",
	typescript: "typescript",
	tsx: "tsx",
} as const;
const STYLE = { "": "css", css: "css", postcss: "css", scss: "scss", less: "less" } as const;

export const COMPONENTS: Readonly<Record<ComponentName, ComponentSpec>> = {
	vue: { script: SCRIPT, style: STYLE },
	svelte: { script: SCRIPT, style: STYLE },
	astro: { script: { ...SCRIPT, "": "typescript", module: "typescript" }, style: STYLE, frontmatter: "tsx" },
};
