/** A markup file with embedded scripts and styles that is one component. */
export type ComponentSpec = {
	/** Grammar by the value of the `lang` or `type` attribute; the empty key is for tags without one. */
	readonly script: Readonly<Record<string, string>>;
	readonly style: Readonly<Record<string, string>>;
	/** Grammar of the script between `---` lines at the top of the file. */
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
