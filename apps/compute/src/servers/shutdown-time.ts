/**
 * How long a guest has to shut down by itself. Public source: Glance admin guide, "Useful image
 * properties", os_shutdown_timeout.
 */
import type { ComputeConfig } from '../config.js';
import type { Server } from './server.entity.js';
import { EVENTS, type ServerEvent, STATES, type ServerState } from './server.states.js';

/** What an image may ask for, in seconds: what the setting may be. */
const MAX_SECONDS = 3_600;

/** In which a guest is asked to shut down. */
export const SHUTTING_DOWN = [
  'stopping',
  'rebooting',
  'resizing',
  'migrating',
  'rescuing',
  'shelving',
] as const;

type Asked = Pick<Server, 'image'>;

/** As Nova, passes over a time that is no number. */
export function shutdownSecondsOf({ image }: Asked, config: ComputeConfig): number {
  const wanted = image.properties?.['os_shutdown_timeout']?.trim() ?? '';
  return /^\d+$/.test(wanted) ? Math.min(Number(wanted), MAX_SECONDS) : config.shutdownSeconds;
}

/** @returns the seconds that the work has that an event begins; undefined for the state's own */
export function deadlineOf(
  event: ServerEvent,
  server: Asked,
  config: ComputeConfig,
): number | undefined {
  const state: ServerState = EVENTS[event].to;
  const found = SHUTTING_DOWN.find((one) => one === state);
  return found && STATES[found].deadline + shutdownSecondsOf(server, config);
}
