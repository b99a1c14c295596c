export type FileRole = "source" | "test" | "generated" | "vendored";

const VENDORED_FOLDER = folder(
	"vendor|vendored|third_party|third-party|thirdparty|external|node_modules|bower_components|jspm_packages|Pods|Carthage|deps/_?vendor",
);
/** Dependencies of C and Elixir projects; only at the top level, because elsewhere `deps` is an ordinary folder. */
const DEPENDENCIES = /^deps\/[^/]+\//;
const GENERATED_FOLDER = folder("dist|__generated__|generated|gen-src|\\.next|storybook-static");
const GENERATED_NAME =
	/(?:[.-]min\.(?:js|mjs|css)|\.(?:bundle|chunk)\.js|\.map|\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|\.g\.(?:dart|cs)|\.designer\.cs|[._-]generated\.[^/]+|\.snap|\.lock|\.sum)$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock|composer\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|go\.sum)$/i;
/** Folder and file names by which the test tools of many languages find their files. */
const TEST_FOLDER = folder(
	[
		"tests?|__tests__|specs?|testing|testdata|test_data|fixtures|__fixtures__|__mocks__|mocks|__snapshots__|e2e|cypress",
		"test[-_]?(?:utils?|helpers?|support|suites?|resources)|unit[-_]?tests?|integration[-_]?tests?|testFixtures",
		"[a-z]+Test|[A-Z]\\w*Tests|[^/]+\\.(?:Unit|Integration)?(?:Tests?|Specs?)|[^/]+[-_]tests?",
	].join("|"),
);
const TEST_NAME =
	/(?:[._-](?:test|spec|tests|e2e|bench|unittest)|[.]test-d|Tests?|TestCase|Spec)\.[a-z]+$|(?:^|\/)(?:test_[^/]*\.(?:py|rb|c|cc|cpp|lua|sh|jl|php)|(?:conftest|tests)\.(?:py|rs)|(?:test|spec|rails)_helper\.\w+)$/;
const BINARY_EXTENSION = new Set(
	(
		"png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai eps raw mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg ogv aac " +
		"zip gz tgz bz2 xz zst 7z rar tar jar war ear apk ipa aar dmg iso deb rpm msi cab exe dll so dylib a o obj lib pdb class pyc pyo " +
		"wasm bin dat db sqlite sqlite3 mdb parquet arrow feather avro orc npy npz pkl pickle h5 hdf5 onnx pt pth safetensors tflite gguf " +
		"woff woff2 ttf otf eot ttc doc xls xlsx ppt pptx odt ods odp epub mobi keystore jks p12 pfx der swf fla blend fbx glb stl node"
	).split(" "),
);

/** Judges by the path alone; `looksGenerated` judges by the text (a "do not edit" header). */
export function classifyPath(path: string): FileRole {
	if (VENDORED_FOLDER.test(path) || DEPENDENCIES.test(path)) return "vendored";
	if (GENERATED_NAME.test(path) || GENERATED_FOLDER.test(path)) return "generated";
	return TEST_FOLDER.test(path) || TEST_NAME.test(path) ? "test" : "source";
}

export function hasBinaryExtension(path: string): boolean {
	const dot = path.lastIndexOf(".");
	return dot > path.lastIndexOf("/") && BINARY_EXTENSION.has(path.slice(dot + 1).toLowerCase());
}

function folder(names: string): RegExp {
	return new RegExp(`(?:^|/)(?:${names})/`);
}
