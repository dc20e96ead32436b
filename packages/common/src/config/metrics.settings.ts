/** Where a process serves the statistics of its services: beside the APIs, never by them. */
import { integer, optional, text } from './settings.js';

export const metricsSettings = {
  metricsListenHost: text('CUMULET_METRICS_LISTEN_HOST', {
    about: 'Address that the process serves its statistics on.',
    default: '127.0.0.1',
  }),
  metricsPort: optional(
    integer('CUMULET_METRICS_PORT', {
      about:
        'Port at which Prometheus finds the statistics of all services of the process, at /metrics; unset: they are not served.',
      min: 1,
      max: 65_535,
    }),
  ),
};
