// The same test as in every run, with many more kills and upgrades.
process.env.KILLS = "100";
process.env.ROLLOUTS = "25";
await import("./sdkClients.test.ts");
