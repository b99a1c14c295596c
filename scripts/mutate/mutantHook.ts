// Loaded into every process of a test: serves the sources of one folder, with one change, in place of its modules, whether
// they are imported as sources or as compiled. Without a change it only makes the offsets of coverage those of the sources.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

type Mutation = {
	/** The package's folder, with a slash at its end. */
	readonly package: string;
	/** The mutated folder below its `src` and `dist`. */
	readonly folder: string;
	/** Below `src`. */
	readonly file?: string;
	readonly start?: number;
	readonly end?: number;
	readonly replacement?: string;
};

const mutation: Mutation = JSON.parse(process.env.HOLDFAST_MUTATION ?? "{}");

registerHooks({
	load(url, context, nextLoad) {
		const bundle = /^(file:.*\/packages\/\w+)\/dist\/fast\/main\.cjs$/.exec(url);
		if (bundle !== null) return { format: "commonjs", source: startCompiled(bundle[1] ?? ""), shortCircuit: true };
		const source = url.startsWith("file:") ? sourceOf(fileURLToPath(url)) : undefined;
		if (source === undefined) return nextLoad(url, context);
		return { format: "module", source, shortCircuit: true };
	},
});

/** A bundle would hide the modules. */
function startCompiled(folder: string): string {
	const launcher = JSON.stringify(pathToFileURL(`${mutation.package}../libmcp/dist/launch.js`).href);
	return `exports.start = () => import(${launcher}).then(({ launch }) => launch(new URL("${folder}/dist/cli/main.js")));`;
}

function sourceOf(path: string): string | undefined {
	const below = ["src", "dist"].map((root) => `${mutation.package}${root}/`).find((root) => path.startsWith(root));
	if (below === undefined) return undefined;
	const file = path.slice(below.length).replace(/\.js$/, ".ts");
	if (!file.startsWith(`${mutation.folder}/`) || !file.endsWith(".ts")) return undefined;
	let text = stripTypeScriptTypes(readFileSync(`${mutation.package}src/${file}`, "utf8"), { mode: "strip" });
	if (file === mutation.file) text = text.slice(0, mutation.start) + mutation.replacement + text.slice(mutation.end);
	// In compiled code modules are named as they are compiled; both endings are three letters long.
	return below.endsWith("/dist/") ? text.replaceAll(/((?:from|import)\s*\(?\s*"\.[^"]*)\.ts"/g, '$1.js"') : text;
}
