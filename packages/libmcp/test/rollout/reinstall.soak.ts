// The same test as in every run, a thousand times over.
process.env.HANDOFFS = "1000";
await import("./reinstall.test.ts");
