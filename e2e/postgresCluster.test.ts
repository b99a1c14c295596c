import assert from "node:assert/strict";
import { test } from "node:test";
import { PostgresCluster } from "./postgresCluster.ts";

test("a cluster keeps what was committed over a kill, and a promoted standby has what its primary had", async (t) => {
	const primary = await PostgresCluster.start();
	t.after(() => primary.close());
	await primary.query("create table kept (id integer primary key)");
	await primary.query("insert into kept values (1)");
	await primary.kill();
	assert.equal(await primary.answers(), false);
	await primary.restart();
	const standby = await primary.startStandby({ synchronous: true });
	t.after(() => standby.close());
	await primary.query("insert into kept values (2)");
	await assert.rejects(standby.query("insert into kept values (3)"), /read-only/);
	await primary.kill();
	await standby.promote();
	await standby.query("insert into kept values (3)");
	const { rows } = await standby.query("select id from kept order by id");
	assert.deepEqual(rows, [{ id: 1 }, { id: 2 }, { id: 3 }]);
});
