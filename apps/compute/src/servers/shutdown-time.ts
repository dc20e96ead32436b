/** A guest's time to shut down (Glance admin guide, "Useful image properties"). */
import type { ComputeConfig } from '../config.js';
import type { Server } from './server.entity.js';
import { EVENTS, type ServerEvent, STATES, type ServerState } from './server.states.js';

/** An image's maximum in seconds, which is the setting's, too. */
const MAX_SECONDS = 3_600;

/** States in which a guest is asked to shut down. */
export const SHUTTING_DOWN = [
  'stopping',
  'rebooting',
  'resizing',
  'migrating',
  'rescuing',
  'shelving',
] as const;

type Asked = Pick<Server, 'image'>;

/** Ignores an invalid time, as Nova does. */
export function shutdownSecondsOf({ image }: Asked, config: ComputeConfig): number {
  const wanted = image.properties?.['os_shutdown_timeout']?.trim() ?? '';
  return /^\d+$/.test(wanted) ? Math.min(Number(wanted), MAX_SECONDS) : config.shutdownSeconds;
}

/** @returns the seconds for the event's work; undefined for the state's own deadline */
export function deadlineOf(
  event: ServerEvent,
  server: Asked,
  config: ComputeConfig,
): number | undefined {
  const state: ServerState = EVENTS[event].to;
  const found = SHUTTING_DOWN.find((one) => one === state);
  return found && STATES[found].deadline + shutdownSecondsOf(server, config);
}
