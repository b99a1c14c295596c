import { churnCase } from "./churnCase.ts";

churnCase(Number(process.env.HOLDFAST_SOAK_MINUTES ?? 5) * 60_000, Number.POSITIVE_INFINITY);
