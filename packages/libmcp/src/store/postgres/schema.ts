/** One step of the database's schema. A step is never changed once released; what must change later is a new step. */
export type PostgresMigration = {
	/** The oldest program that works with a database of this step. */
	readonly program: string;
	/** `@` stands for the name of the schema. */
	readonly sql: string;
};

/** The part of the function that carries out one write, by its kind. The state of a call only moves forward. */
const APPLY_WRITES = `
	for w in select value from jsonb_array_elements(batch->'writes') loop
		r := w->'row';
		case w->>'kind'
		when 'put-session' then
			insert into @.session values (r->>'id', r->>'scope', (r->>'epoch')::bigint, (r->>'seenAt')::bigint, r->>'state', r->>'owner')
			on conflict (id) do update set scope = excluded.scope, epoch = excluded.epoch,
				seen_at = excluded.seen_at, state = excluded.state, owner = excluded.owner;
		when 'claim-session' then
			update @.session set owner = w->>'owner' where id = w->>'session' and owner is not distinct from w->>'was';
			if not found then
				raise exception using errcode = 'HF003',
					message = 'the session has another owner by now, or has ended';
			end if;
		when 'touch-session' then
			update @.session set seen_at = (w->>'seenAt')::bigint where id = w->>'session';
		when 'end-session' then
			delete from @.session where id = w->>'session';
			delete from @.event where session = w->>'session';
			delete from @.call where session = w->>'session';
		when 'end-idle-sessions' then
			with ended as (
				delete from @.session where scope = w->>'scope' and seen_at < (w->>'seenBefore')::bigint returning id
			), events as (
				delete from @.event using ended where session = ended.id
			)
			delete from @.call using ended where session = ended.id;
		when 'add-event' then
			insert into @.event values (r->>'session', (r->>'stream')::bigint, (r->>'number')::bigint, r->>'text')
			on conflict do nothing;
			if not found then
				raise exception using errcode = 'HF002',
					message = format('event %s: expected a new number, got one that is taken', r->>'number');
			end if;
		when 'drop-events' then
			delete from @.event where session = w->>'session' and number in
				(select value::bigint from jsonb_array_elements_text(w->'numbers'));
		when 'accept-call' then
			insert into @.call
			values (r->>'session', (r->>'call')::bigint, 'accepted', 0, r->>'contract', r->>'request')
			on conflict do nothing;
			if not found then
				raise exception using errcode = 'HF002', message = format('call %s: expected no such call', r->>'call');
			end if;
		when 'dispatch-call' then
			update @.call set state = 'dispatched', attempts = attempts + 1,
				contract = case
					when array_position(strengths, w->>'contract') < array_position(strengths, contract)
					then w->>'contract' else contract end
			where session = w->>'session' and call = (w->>'call')::bigint and state <> 'answered';
			if not found then
				raise exception using errcode = 'HF002',
					message = format('call %s: expected a call without answer', w->>'call');
			end if;
		when 'answer-call' then
			update @.call set state = 'answered'
			where session = w->>'session' and call = (w->>'call')::bigint and state <> 'answered';
			if not found then
				raise exception using errcode = 'HF002',
					message = format('call %s: expected a call without answer', w->>'call');
			end if;
		when 'forget-call' then
			delete from @.call where session = w->>'session' and call = (w->>'call')::bigint;
		when 'set-value' then
			if not w ? 'was' then
				insert into @.value values (r->>'space', r->>'key', r->>'value', (r->>'expiresAt')::bigint)
				on conflict (space, key) do update set value = excluded.value, expires_at = excluded.expires_at;
			elsif w->>'was' is null then
				insert into @.value values (r->>'space', r->>'key', r->>'value', (r->>'expiresAt')::bigint)
				on conflict do nothing;
			else
				update @.value set value = r->>'value', expires_at = (r->>'expiresAt')::bigint
				where space = r->>'space' and key = r->>'key' and value = w->>'was';
			end if;
			if not found then
				raise exception using errcode = 'HF003',
					message = format('%s/%s: somebody else has changed the value', r->>'space', r->>'key');
			end if;
		when 'unset-value' then
			delete from @.value where space = w->>'space' and key = w->>'key';
		when 'publish' then
			if octet_length(w->>'message') > 4000 then
				insert into @.message (text) values (w->>'message') returning id into large;
				perform pg_notify('@', jsonb_build_object('topic', w->'topic', 'large', large)::text);
			else
				perform pg_notify('@', jsonb_build_object('topic', w->'topic', 'message', w->'message')::text);
			end if;
		else
			raise exception 'no such kind of write: %', w->>'kind';
		end case;
	end loop;
`;

/** Every step, oldest first; the database's version is the number of steps it has had. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [
	{
		program: "1.1.0",
		sql: `
			create table @.session (
				id text primary key, scope text not null, epoch bigint not null, seen_at bigint not null, state text not null,
				owner text
			);
			create index session_by_age on @.session (scope, seen_at);
			create table @.event (
				session text not null, stream bigint not null, number bigint not null, text text not null,
				primary key (session, number)
			);
			create table @.call (
				session text not null, call bigint not null, state text not null, attempts integer not null,
				contract text not null, request text not null,
				primary key (session, call)
			);
			create table @.value (
				space text not null, key text not null, value text not null, expires_at bigint,
				primary key (space, key)
			);
			create index value_by_end on @.value (expires_at) where expires_at is not null;
			create table @.counter (name text primary key, window_start bigint not null, taken bigint not null);
			create table @.lease (name text primary key, holder text not null, fence bigint not null, expires_at bigint not null);
			create table @.writer (id text primary key, last bigint not null, results jsonb not null, seen_at timestamptz not null);
			create table @.message (id bigserial primary key, text text not null, written_at timestamptz not null default now());

			-- Applies a group of batches in one transaction: each whole or not at all. The answer has null or the problem of each.
			-- A group that the writer sends again, because it lost the answer, is not applied twice.
			create function @.apply_1(writer_id text, group_number bigint, batches jsonb) returns jsonb language plpgsql as $$
			declare
				strengths constant text[] := array['never_replay', 'probe_required', 'convergent'];
				done @.writer%rowtype;
				results jsonb := '[]';
				batch jsonb;
				w jsonb;
				r jsonb;
				held bigint;
				large bigint;
				why text;
				code text;
			begin
				select * into done from @.writer where id = writer_id for update;
				if found and done.last >= group_number then return done.results; end if;
				for batch in select value from jsonb_array_elements(batches) loop
					begin
						if batch ? 'fence' then
							select fence into held from @.lease where name = batch->'fence'->>'lease' for share;
							if held is distinct from (batch->'fence'->>'fence')::bigint then
								raise exception using errcode = 'HF001',
									message = format('%s: expected the owner with fence %s, got %s',
										batch->'fence'->>'lease', coalesce(held::text, 'none'), batch->'fence'->>'fence');
							end if;
						end if;
						${APPLY_WRITES}
						results := results || 'null'::jsonb;
					exception when sqlstate 'HF001' or sqlstate 'HF002' or sqlstate 'HF003' then
						get stacked diagnostics why = message_text, code = returned_sqlstate;
						results := results || jsonb_build_object('code', code, 'message', why);
					end;
				end loop;
				insert into @.writer values (writer_id, group_number, results, now())
				on conflict (id) do update set last = excluded.last, results = excluded.results, seen_at = excluded.seen_at;
				return results;
			end $$;

			-- Takes up to an amount of what is left in the window that begins at start; the answer is how much that was.
			create function @.take_1(counter_name text, amount bigint, most bigint, start bigint) returns bigint
			language plpgsql as $$
			declare
				before bigint;
				granted bigint;
			begin
				insert into @.counter as known values (counter_name, start, 0)
				on conflict (name) do update set
					taken = case when known.window_start = start then known.taken else 0 end, window_start = start
				returning taken into before;
				granted := greatest(0, least(amount, most - before));
				update @.counter set taken = before + granted where name = counter_name;
				return granted;
			end $$;
		`,
	},
];

/** How long what only a process that is gone could ask for is kept. */
export const SWEEP_SQL = `
	with writers as (delete from @.writer where seen_at < now() - interval '1 day'),
	messages as (delete from @.message where written_at < now() - interval '5 minutes')
	delete from @.value where expires_at < $1
`;
