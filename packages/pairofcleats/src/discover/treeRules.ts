/** Folders that never contain source code, regardless of ignore files: version control, installed packages, caches. */
export const NEVER_ENTERED: ReadonlySet<string> = new Set([
	...[".git", ".hg", ".svn", ".jj", "CVS", "node_modules", "bower_components", "__pycache__", ".venv", "venv"],
	...[".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle", ".terraform", ".next", ".nuxt"],
	...[".turbo", ".cache", ".parcel-cache", ".pnpm-store", ".yarn", ".eggs"],
]);
export const IGNORE_FILES = [".gitignore", ".ignore"] as const;
