import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyPath, type FileRole } from "../../src/discover/classifyPath.ts";

const PATHS: Readonly<Record<FileRole, readonly string[]>> = {
	test: [
		"tests/session.py",
		"app/tests.py",
		"app/test_session.py",
		"conftest.py",
		"queue/drain_test.go",
		"engine/src/plan/tests.rs",
		"core/src/test/java/shop/OrderTest.java",
		"core/src/jvmTest/kotlin/shop/Cart.kt",
		"Desk.Tests/InvoiceReader.cs",
		"Desk.UnitTests/InvoiceReader.cs",
		"DeskTests/InvoiceReader.swift",
		"spec/models/user_spec.rb",
		"lib/spec_helper.rb",
		"tests/Feature/MailTestCase.php",
		"web/src/cart.test.ts",
		"web/src/cart.test-d.ts",
		"web/src/__fixtures__/cart.ts",
		"web/test-utils/render.tsx",
		"web/cypress/support/commands.js",
		"base/strings_unittest.cc",
		"test/test_parser.c",
	],
	source: [
		"app/latest.py",
		"app/contest/rules.py",
		"app/test_results.ts",
		"src/attestation/check.go",
		"src/protest/index.ts",
		"src/inspector/spectrum.rs",
		"lib/greatest.rb",
		"src/testimonials/list.vue",
		"app/api/deps/session.py",
		"deps/deps.go",
		"lib/zone-spec/trace.ts",
		"core/src/main/java/shop/Order.java",
	],
	vendored: [
		"vendor/acme/kernel.php",
		"deps/jemalloc/src/arena.c",
		"node_modules/x/index.js",
		"a/third_party/zlib/z.c",
	],
	generated: ["dist/app.js", "package-lock.json", "api/shop.pb.go", "web/app.min.js"],
};

for (const [role, paths] of Object.entries(PATHS)) {
	test(`a ${role} file is known by its path, whatever the language calls it`, () => {
		for (const path of paths) assert.equal(classifyPath(path), role, path);
	});
}
