import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buildIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";

/** The same code in five languages. */
const FILES: Readonly<Record<string, string>> = {
	"store.kt": `package x
import com.acme.Client

@Deprecated("x")
private suspend fun fetchKt(url: String, deep: Boolean): List<String> {
    val raw = client.get(url)
    cache.items[url] = raw
    val same = raw
    for (line in raw) {
        if (line == "") continue
        if (line == "q") break
    }
    if (deep) throw NotFoundKt("x")
    return parse(raw)
}
class StoreKt : BaseKt()
`,
	"store.rb": `require "json"
class StoreRb < BaseRb
  private

  def fetch_rb(url, deep)
    raw = client.get(url)
    @cache[url] = raw
    same = raw
    while raw
      next if raw.empty?
      break
    end
    raise NotFoundRb if deep
    return parse_rb(raw)
  end

  def each_rb
    yield 1
  end
end
`,
	"store.php": `<?php
use Acme\\ClientPhp;
#[RoutePhp("/x")]
class StorePhp extends BasePhp
{
    protected function fetchPhp(string $url, bool $deep): array
    {
        $raw = $this->client->get($url);
        $this->cache[$url] = $raw;
        $same = $raw;
        foreach ($raw as $line) {
            if ($line === '') continue;
            break;
        }
        if ($deep) throw new NotFoundPhp();
        return parse_php($raw);
    }
    function genPhp() { yield 1; }
}
`,
	"store.cs": `using Acme.Client;
class StoreCs : BaseCs {
    [HttpGet("x")]
    protected async Task<List<string>> FetchCs(string url, bool deep)
    {
        var raw = await client.GetAsync(url);
        cache[url] = raw;
        var same = raw;
        foreach (var line in raw) { if (line == "") continue; break; }
        if (deep) throw new NotFoundCs();
        return Parse(raw);
    }
    IEnumerable<int> GenCs() { yield return 1; }
    private void NothingCs() { }
}
`,
	"store.swift": `import AcmeKit
public class StoreSwift: BaseSwift {
    @discardableResult
    public func fetchSwift(url: String, deep: Bool) async throws -> [String] {
        let raw = try await client.get(url)
        self.cache = raw
        let same = raw
        for line in raw { if line == "" { continue }; break }
        if deep { throw NotFoundSwift.bad }
        return parse(raw)
    }
    private func nothingSwift() {}
}
`,
};

const FETCH = "cs:FetchCs kt:fetchKt php:fetchPhp rb:fetch_rb swift:fetchSwift";

/** A filter, a value, what it finds, and a value that finds nothing. */
const CASES: readonly (readonly [filter: string, value: unknown, found: string, other?: unknown])[] = [
	["import", "json", "rb:StoreRb rb:block rb:each_rb rb:fetch_rb", "jso"],
	["import", "com.acme.Client", "kt:StoreKt kt:block kt:fetchKt", "com.acme"],
	["import", "Acme\\ClientPhp", "php:StorePhp php:block php:fetchPhp php:genPhp", "Acme"],
	["calls", "client.get", "kt:fetchKt rb:fetch_rb swift:fetchSwift", "client.ge"],
	["uses", "NotFoundPhp", "php:fetchPhp", "NotFoundPh"],
	["uses", "NotFoundCs", "cs:FetchCs", "NotFoundC"],
	["signature", "deep: Boolean", "kt:fetchKt", "deep: Integer"],
	["signature", "bool $deep", "php:fetchPhp", "int $deep"],
	["param", "deep", FETCH, "dee"],
	["decorator", "routephp", "php:StorePhp", "routeother"],
	["decorator", "deprecated", "kt:fetchKt", "undeprecated"],
	["decorator", "httpget", "cs:FetchCs", "httpput"],
	["returnType", "list<", "cs:FetchCs kt:fetchKt", "set<"],
	["returnType", "[string]", "swift:fetchSwift", "[int]"],
	["throws", "notfound", FETCH, "notlost"],
	["awaits", "client.get", "cs:FetchCs swift:fetchSwift", "client.put"],
	["reads", "raw", FETCH, "rawer"],
	["writes", "same", FETCH, "samest"],
	["mutates", "cache", FETCH, "cached"],
	["alias", "same=raw", FETCH, "raw=same"],
	["branchesMin", 2, FETCH, 9],
	["loopsMin", 1, FETCH, 2],
	["breaksMin", 1, FETCH, 2],
	["continuesMin", 1, FETCH, 2],
	["visibility", "private", "cs:GenCs cs:NothingCs kt:fetchKt rb:each_rb rb:fetch_rb swift:nothingSwift", "secret"],
	["visibility", "protected", "cs:FetchCs php:fetchPhp", "protector"],
	["extends", "base*", "cs:StoreCs kt:StoreKt php:StorePhp rb:StoreRb swift:StoreSwift", "ground"],
	["async", true, "cs:FetchCs kt:fetchKt swift:fetchSwift"],
	["async", false, "cs:GenCs cs:NothingCs swift:nothingSwift"],
	["generator", true, "cs:GenCs php:genPhp rb:each_rb"],
	["returns", true, FETCH],
	["returns", false, "cs:GenCs cs:NothingCs php:genPhp rb:each_rb swift:nothingSwift"],
];

test("filters on facts mean the same in Kotlin, Ruby, PHP, C# and Swift", { timeout: 120_000 }, async () => {
	const root = mkdtempSync(join(tmpdir(), "pairofcleats-filters-"));
	const cacheRoot = join(root, "cache");
	const source = join(root, "source");
	mkdirSync(source);
	try {
		for (const [name, text] of Object.entries(FILES)) writeFileSync(join(source, name), text);
		await buildIndex({ root: source, folder: openIndexFolder(cacheRoot, source) });
		const repository = openRepository(source, { cacheRoot, model: null, freshnessMs: 1e9 });
		const found = async (filter: string, value: unknown): Promise<string> => {
			const { hits } = await repository.search({ query: "/./", mode: "code", top: 50, [filter]: value });
			return hits
				.map(({ path, name, kind }) => `${path.split(".").at(-1)}:${name === "" ? kind : name}`)
				.sort()
				.join(" ");
		};
		for (const [filter, value, expected, other] of CASES) {
			assert.equal(await found(filter, value), expected, `${filter} ${value}`);
			if (other !== undefined) assert.equal(await found(filter, other), "", `${filter} ${other}`);
		}
		await repository.close();
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
});
