/**
 * `cold`: no worker has been asked for. `starting`: the first is on its way. `ready`: one serves. `recovering`: one was
 * lost and the next is on its way. `failing`: the restart budget is spent and calls fail at once. `stopping` and
 * `stopped` end the session.
 */
export const LIFECYCLE_STATES = ["cold", "starting", "ready", "recovering", "failing", "stopping", "stopped"] as const;
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

/**
 * The steps of a rollout in order; `stable` means that none is running. `restoring` interrupts `waiting` whenever the
 * client has changed the session since the new release was warmed up; if it began it only then, `handshake` does.
 */
export const ROLLOUT_STEPS = [
	"stable",
	"starting",
	"handshake",
	"comparing",
	"restoring",
	"waiting",
	"switching",
	"probation",
	"rolling_back",
	"aborting",
] as const;
export type RolloutStep = (typeof ROLLOUT_STEPS)[number];
