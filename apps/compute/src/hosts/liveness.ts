/** When a host counts as alive. */
import { heardWithin } from '@cumulet/common/hosts/heartbeats';

/** An agent that has been silent for longer than this is dead; it reports every three seconds. */
export const SILENCE_SECONDS = 12;

/** SQL: whether a row of `hosts` is up. Who fenced a host says so, and is believed. */
export const IS_UP = `(NOT hosts.forced_down AND ${heardWithin(SILENCE_SECONDS)})`;
