/* Who may do what to a call in the ledger, when nodes stop, die and are taken for dead, and the database ends.

   Two nodes, one session, two calls: call 0 may not be repeated (never_replay), call 1 may (convergent). A node serves the
   session while it owns the lease; whoever acquires it has a higher fence, and every write names the fence it was made under.
   What a node knows is lost when it dies; what was committed and not flushed is lost when the database ends, unless the
   node that wrote it still lives: it writes it again first.

   Names of actions are those of the code: acquire, accept, dispatch, answer (packages/libmcp/src/store/store.ts) and the
   decisions of packages/libmcp/src/replay/decide.ts. Each is printed, so that a run can be repeated with the real store. */

#ifdef SENDS_UNFLUSHED
#define FLUSHES(c) false
#else
#define FLUSHES(c) (!MAY_REPEAT(c))
#endif
#define CALLS 2
/* Each of the three names a mistake; the model must find every one of them. */
#ifdef REPEATS_ALL
#define IS_REPEATED(c) true
#else
#define IS_REPEATED(c) MAY_REPEAT(c)
#endif
#ifdef IGNORES_FENCE
#define HAS_FENCE true
#else
#define HAS_FENCE (fence == mine)
#endif
#define MAY_REPEAT(c) (c == 1)
#define MOST_ATTEMPTS 3

mtype = { none, accepted, dispatched, answered };

/* The store. */
byte fence = 0;
byte owner = 255;
mtype state[CALLS] = none;
byte attempts[CALLS] = 0;
/* The last flushed copy, and whose write is not flushed yet. */
mtype flushed[CALLS] = none;
byte flushedAttempts[CALLS] = 0;

/* The world. */
byte effects[CALLS] = 0;
byte answers[CALLS] = 0;
bool ambiguous[CALLS] = false;
bool acknowledged[CALLS] = false;
bool isDead[5];
byte writer[CALLS] = 0;
/* Its last writes were lost with the database and the node that could have written them again. */
bool lost[CALLS] = false;

#define FLUSH(c) flushed[c] = state[c]; flushedAttempts[c] = attempts[c]
#define WRITE(c, s) state[c] = s; writer[c] = _pid

/* The client sees an answer only from the node whose write of it was taken. */
inline tell(c) { answers[c]++; assert(answers[c] <= 1 || lost[c]) }

/* The effect that may not repeat happens at most once, whatever else does. */
inline happen(c) { effects[c]++; assert(MAY_REPEAT(c) || effects[c] <= 1) }

inline dispatchCall(c) {
	atomic {
		if
		:: HAS_FENCE ->
			assert(state[c] == accepted || state[c] == dispatched);
			WRITE(c, dispatched); attempts[c]++;
			/* What may not be repeated is flushed before it is sent. */
			if :: FLUSHES(c) -> FLUSH(c) :: else fi;
			printf("MODEL dispatch %d %d %d taken\n", _pid, mine, c);
			running = true
		:: else -> printf("MODEL dispatch %d %d %d refused\n", _pid, mine, c); mine = 0; running = false
		fi
	}
}

inline answerCall(c) {
	atomic {
		if
		:: HAS_FENCE ->
			assert(state[c] != answered);
			WRITE(c, answered);
			if :: !MAY_REPEAT(c) -> FLUSH(c) :: else fi;
			printf("MODEL answer %d %d %d taken\n", _pid, mine, c);
			tell(c)
		:: else -> printf("MODEL answer %d %d %d refused\n", _pid, mine, c); mine = 0
		fi
	}
}

proctype Node() {
	byte mine = 0;
	byte c;
	bool running = false;
	bool had;

	{ do
	/* Nobody knows whether a lease that has run out belongs to a node that is dead or only slow. */
	:: mine == 0 && fence < 5 ->
		atomic {
			fence++; mine = fence; owner = _pid;
			/* An owner's lease outlives the machine, and with it all that was committed before. */
			FLUSH(0); FLUSH(1);
			printf("MODEL acquire %d %d\n", _pid, mine)
		};
		/* The calls in flight go through one decision: run again, or say that the outcome is unknown. */
		c = 0;
		do
		:: c < CALLS && mine != 0 ->
			if
			:: state[c] == accepted -> dispatchCall(c); if :: running -> happen(c); answerCall(c); running = false :: else fi
			:: state[c] == dispatched && IS_REPEATED(c) && attempts[c] < MOST_ATTEMPTS ->
				dispatchCall(c); if :: running -> happen(c); answerCall(c); running = false :: else fi
			:: state[c] == dispatched && (!IS_REPEATED(c) || attempts[c] >= MOST_ATTEMPTS) ->
				ambiguous[c] = true; answerCall(c)
			:: else
			fi;
			c++
		:: else -> break
		od

	/* A new request arrives at the owner: accepted, acknowledged to the client, sent to the worker, answered. */
	:: atomic {
			mine != 0 && (state[0] == none || state[1] == none) ->
			if :: state[0] == none && !lost[0] -> c = 0 :: state[1] == none && !lost[1] -> c = 1 :: else -> c = CALLS fi;
			had = false;
			if
			:: c == CALLS
			:: c < CALLS && HAS_FENCE ->
				WRITE(c, accepted);
				printf("MODEL accept %d %d %d taken\n", _pid, mine, c);
				had = true
			:: c < CALLS && !HAS_FENCE -> printf("MODEL accept %d %d %d refused\n", _pid, mine, c); mine = 0
			fi
		};
		if
		:: had ->
			acknowledged[c] = true;
			dispatchCall(c);
			if
			:: running ->
				/* The worker does it, whatever becomes of the node. */
				happen(c);
				running = false;
				answerCall(c)
			:: else
			fi
		:: else
		fi

	/* Every second it asks whether it still owns the lease. */
	:: atomic { mine != 0 && fence != mine -> printf("MODEL renew %d %d\n", _pid, mine); mine = 0 }

	:: mine != 0 && (state[0] == answered || lost[0]) && (state[1] == answered || lost[1]) -> break
	:: fence >= 5 && mine == 0 -> break
	od } unless { isDead[_pid] -> printf("MODEL die %d\n", _pid) }
}

/* Death at any step: nothing that the node knew is left. The other one survives, so that somebody finishes. */
proctype Death() {
	if
	:: isDead[1] = true
	:: isDead[2] = true
	:: skip
	fi
}

/* The database ends and starts again. A node that lives writes again what was not flushed. */
proctype Database() {
	byte c = 0;
	atomic {
		printf("MODEL end\n");
		do
		:: c < CALLS ->
			if
			:: isDead[writer[c]] && (state[c] != flushed[c] || attempts[c] != flushedAttempts[c]) ->
				state[c] = flushed[c]; attempts[c] = flushedAttempts[c]; lost[c] = true;
				printf("MODEL lose %d\n", c)
			:: else
			fi;
			c++
		:: else -> break
		od
	}
}

init {
	atomic { run Node(); run Node(); run Database(); run Death() };
	/* Nodes are the first two processes; whoever is over has nothing more to do. */
	(_nr_pr == 1);
	/* Whoever was acknowledged and is still served got exactly one answer. */
	if
	:: fence < 5 ->
		assert(!acknowledged[0] || answers[0] == 1 || lost[0]);
		assert(!acknowledged[1] || answers[1] == 1 || lost[1])
	:: else
	fi
}
