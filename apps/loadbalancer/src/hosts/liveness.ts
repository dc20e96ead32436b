/** When a host counts as alive. */
import { heardWithin } from '@cumulet/common/hosts/heartbeats';

export const REPORT_EVERY_MS = 2_000;

/** How long a host is silent before it counts as dead. */
export const SILENCE_SECONDS = 8;

/** SQL: whether a row of `hosts` is up. */
export const IS_UP = `(${heardWithin(SILENCE_SECONDS)})`;
