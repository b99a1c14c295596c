import assert from "node:assert/strict";
import { test } from "node:test";
import { blankTornConditions } from "../../src/parse/conditionals.ts";
import { parseFile } from "../../src/parse/parseFile.ts";
import { named, parsed, symbols } from "./soundFile.ts";

async function functionsOf(path: string, text: string): Promise<string[]> {
	const { chunks, parseErrors } = await parseFile(path, text);
	assert.deepEqual(parseErrors, []);
	return chunks
		.filter((chunk) => chunk.kind !== "block")
		.map((chunk) => `${chunk.kind} ${chunk.name} ${chunk.startLine}-${chunk.extentEndLine ?? chunk.endLine}`);
}

test("a preprocessor condition inside an expression or statement does not hide the functions around it", async () => {
	const text = `static int first(int a)
{
  if(a &&
#ifdef WITH_B
     b(a) &&
#endif
     c(a))
    return 1;
#ifdef WITH_D
  if(d(a))
    return 2;
  else
#endif
    e(a);
  return call(a,
#ifdef LONG
              1, 2
#else
              3
#endif
             );
}

#ifdef WIDE
static int second(long a) {
#else
static int second(int a) {
#endif
  return a;
}

static int third(void) { return 3; }
`;
	assert.deepEqual(await functionsOf("a.c", text), [
		"function first 1-22",
		"function second 25-30",
		"function third 32-32",
	]);
	const { chunks } = await parseFile("a.c", text);
	assert.deepEqual(chunks[0]?.facts?.calls, ["b", "c", "d", "e", "call"]);
});

test("preprocessor conditions around whole declarations are kept, and each branch is parsed", async () => {
	const text = `#ifndef A_H
#define A_H
#ifdef __cplusplus
extern "C" {
#endif
#if defined(UNIX)
int open_it(void) { return 1; }
#elif defined(WINDOWS)
int open_them(void) { return 2; }
#else
#error "don't"
#endif
enum kind {
  ONE,
#ifdef MORE
  TWO,
#else
  THREE,
#endif
  FOUR
};
#ifdef __cplusplus
}
#endif
#endif
`;
	assert.deepEqual(await functionsOf("a.h", text), [
		"function open_it 7-7",
		"function open_them 9-9",
		"enum kind 13-21",
	]);
	const { chunks } = await parseFile("a.h", text);
	const names = chunks.flatMap(({ symbols = [] }) => symbols.map(({ name }) => name));
	for (const name of ["ONE", "TWO", "THREE", "FOUR"]) assert.ok(names.includes(name), name);
});

test("blanking preprocessor conditions preserves lines and length", () => {
	const torn = "int x = {\r\n#if A // no \"quote\n 1,\n#else /* two\nlines */\n 2\n#endif\n};\n#if B\n'";
	const plain = blankTornConditions(torn);
	assert.equal(plain.length, torn.length);
	assert.deepEqual(
		[...plain.matchAll(/\r?\n/g)].map(({ index }) => index),
		[...torn.matchAll(/\r?\n/g)].map(({ index }) => index),
	);
	assert.doesNotMatch(plain, /#else/);
	assert.match(plain, /#if B/);
});

test("macros before, inside and after declarations are not part of them", async () => {
	const c = `UNITTEST const char *one(struct x *p);
static CORE_FORCEINLINE unsigned int two(int a) { return a; }
static DWORD WINAPI three(void *arg) { return 0; }
CORE_EXTERN ALLOC_FUNC ALLOC_SIZE(1)
  void *four(int size);
int five(const char *fmt, ...)
  CORE_PRINTF(1, 2);
int six(va_list ap) { return *va_arg(ap, const int *); }
struct seven { int a; };
`;
	assert.deepEqual(await functionsOf("a.c", c), [
		"function two 2-2",
		"function three 3-3",
		"function six 8-8",
		"struct seven 9-9",
	]);
	const { exports } = await parseFile("a.c", c);
	assert.deepEqual(exports, ["one", "four", "five", "six", "seven"]);
	const before = `CORE_INLINE logger::logger(int size) : n(size) {}
CORE_INLINE static constexpr std::pair<int, Map<int, int>> one(int a) { return {a, {}}; }
[[nodiscard]] CORE_ALWAYS_INLINE std::unique_ptr<Foo> two() { return {}; }
DEPRECATED("use two") int three(int a) { return a; }
class Box {
  CORE_FUNCTION ~Box() {}
};
`;
	assert.deepEqual(await functionsOf("before.cpp", before), [
		"constructor logger 1-1",
		"function one 2-2",
		"function two 3-3",
		"function three 4-4",
		"class Box 5-7",
		"method ~Box 6-6",
	]);
	const cpp = `class Box {
 public:
  Box(const char* absl_nonnull name, int n);
  template <typename T, EnableIf<T>* = nullptr>
  void put(T&& v CORE_ATTRIBUTE_CAPTURED_BY(this))
      CORE_ATTRIBUTE_LIFETIME_BOUND {
    on_ = true;
  }
  template <typename T>
  CORE_COLD void operator&&(T&& message) const {}
  bool on_ CORE_GUARDED_BY(mutex_) = false;
};
`;
	assert.deepEqual(await functionsOf("a.cc", cpp), ["class Box 1-12", "method put 4-8", "method operator&& 9-10"]);
});

test("a preprocessor condition can have more branches than a call can have arguments", () => {
	const text = `#if A\n(\n${"#elif B\n(\n".repeat(200_000)}#endif\n`;
	assert.equal(blankTornConditions(text).length, text.length);
});

test("the members of an enum are found after a directive that repeats the one before", async () => {
	const text =
		"enum option {\n\tOPT_OPEN,\n#define OPT_OPEN\tOPT_OPEN\n\tOPT_CLOSE,\n#define OPT_CLOSE\tOPT_CLOSE\n};\n";
	for (const path of ["a.h", "a.cpp"])
		assert.deepEqual(symbols(await parsed(path, text)), ["2 property OPT_OPEN", "4 property OPT_CLOSE"], path);
});

test("a condition of C# inside a member or an expression hides no member", async () => {
	const text = `namespace N {
    public static class Conv
    {
        internal static bool IsFamily(Type from, Type to)
#if NET6_0_OR_GREATER
            => from == to
            || to == null;
#else
            => false;
#endif

        static readonly string Path = @"C:\\temp\\";
        static readonly string Raw = """{ "a" }""";
        static Conv()
        {
            map = new Dictionary<Type, int>(41
#if NET6_0_OR_GREATER
                + 4
#endif
            ) { [typeof(int)] = 1 };
        }
#if WIDE
        public int Size(long one)
#else
        public int Size(int one)
#endif
        {
            return 1;
        }
    }
    public interface ILogger
    {
        [CustomDefault]
        ILogger ForContext(string name)
#if FEATURE_DEFAULT_INTERFACE
        {
            return this;
        }
#else
        ;
#endif
        void Write();
    }
}
`;
	assert.deepEqual(await functionsOf("a.cs", text), [
		...["module N 1-44", "class Conv 2-30", "method IsFamily 4-7"],
		...["constructor Conv 14-21", "method Size 23-29", "interface ILogger 31-43", "method ForContext 33-38"],
	]);
});

test("a condition between a constructor and what it initialises hides no member", async () => {
	const text = `class Duration {
 public:
  explicit Duration(long v)
      :
#if BIG
        hi_(0),
        lo_(0)
#else
        lo_(0),
        hi_(0)
#endif
  {
    set(v);
  }
  int get() const { return hi_; }
};
`;
	assert.deepEqual(await functionsOf("a.hpp", text), [
		...["class Duration 1-16", "constructor Duration 3-14", "method get 15-15"],
	]);
});

test("neither macro lines in a class nor values of nested templates hide a class and its namespace", async () => {
	const text = `namespace n {
class Time {
 public:
  int a() const { return 1; }
  // Deprecated.
  CORE_DISABLE_DEPRECATED_WARNING
  CORE_DEPRECATED("Use \`b\`.")
  Breakdown In(TimeZone tz) const;
  CORE_RESTORE_DEPRECATED_WARNING

  template <typename H>
  friend H HashValue(H h, Time t) {
    return H::combine(std::move(h), t.rep_);
  }
};
template <typename T, size_t N, typename A = std::allocator<T>>
class Vec {
 public:
  Vec(Vec&& o) : s_(o.s_) {
    if (is_reloc<T>::value &&
        std::is_same_v<A, std::allocator<T>>) {
      return;
    }
  }
  int size() const { return 1; }
  enum Kind {
    KIND_ONE,
    KIND_TWO
  };
};
int after() { return 2; }
}
`;
	assert.deepEqual(await functionsOf("a.hpp", text), [
		...["module n 1-32", "class Time 2-15", "method a 4-4", "method HashValue 11-14"],
		...["class Vec 16-30", "constructor Vec 19-24", "method size 25-25", "enum Kind 26-29", "function after 31-31"],
	]);
	assert.ok(symbols(await parsed("a.hpp", text)).includes("28 property KIND_TWO"));
});

test("a C++ macro before a constructor, after a template's head or after parameters hides no declaration", async () => {
	const file = await parsed(
		"a.h",
		`#if FMT_HAS_INCLUDE(<string_view>) && ABSL_HAVE_CPP_ATTRIBUTE(clang::noinline)
#define FMT_HAS_INCLUDE(x) __has_include(x)
#endif
namespace a {
template <typename T>
ABSL_DEPRECATE_AND_INLINE()
constexpr bool equal(T one, T other) {
	return one == other;
}
class Lock {
public:
	FMT_CONSTEXPR FMT_ALWAYS_INLINE lock(const Mutex& m) : mutex_(m) {
		go();
	}
	explicit Lock(Arena* arena)
			ABSL_EXCLUSIVE_LOCK_FUNCTION(arena->mu)
			: arena_(arena) {
		arena_->mu.lock();
	}
	ABSL_DEPRECATE_AND_INLINE()
	inline void leave() ABSL_UNLOCK_FUNCTION() {
		go();
	}
};
}
`,
	);
	assert.deepEqual(named(file), [
		"2-2 macro FMT_HAS_INCLUDE",
		"4-25 module a",
		"5-9 function a.equal",
		"10-24 class a.Lock",
		"12-14 method a.Lock.lock",
		"15-19 constructor a.Lock.Lock",
		"21-23 method a.Lock.leave",
	]);
});
