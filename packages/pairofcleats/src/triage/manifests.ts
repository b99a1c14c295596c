import type { AffectedPackage } from "../records/record.ts";

/** The files that can declare a package. Lock files are rarely indexed, but there is a manifest next to each. */
export function manifestsOf({ manifestPath, ecosystem = "npm" }: AffectedPackage): readonly string[] {
	const known = ecosystem.split(":", 1)[0]?.toLowerCase() ?? "";
	const usual = (Object.hasOwn(MANIFESTS, known) && MANIFESTS[known]) || [];
	const named = manifestPath === undefined ? usual : [manifestPath, ...usual];
	return named.length > 0 ? named : ["package.json"];
}

const PYTHON = ["requirements", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile"];
/** Keyed by the names that scanners and databases use for ecosystems. */
const MANIFESTS: Readonly<Record<string, readonly string[]>> = {
	npm: ["package.json"],
	pypi: PYTHON,
	pip: PYTHON,
	go: ["go.mod"],
	gomod: ["go.mod"],
	maven: ["pom.xml", "build.gradle"],
	"crates.io": ["Cargo.toml"],
	cargo: ["Cargo.toml"],
	rubygems: ["Gemfile", ".gemspec"],
	nuget: [".csproj", "packages.config", "Directory.Packages.props"],
	packagist: ["composer.json"],
	composer: ["composer.json"],
};
