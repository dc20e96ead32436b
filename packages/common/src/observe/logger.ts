import { pino, type DestinationStream, type Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** JSON lines; secrets are removed from every header bag that is logged. */
export function createLogger(
  service: string,
  level: LogLevel,
  destination?: DestinationStream,
): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          '*.headers["x-auth-token"]',
          '*.headers["x-subject-token"]',
          '*.headers.authorization',
          '*.password',
          '*.secret',
          '*.token',
          // Parameters of failed statements, and rows that Postgres quotes, are clients' data.
          'err.parameters',
          'err.detail',
          'err.where',
          'err.driverError.detail',
          'err.driverError.where',
        ],
        remove: true,
      },
    },
    destination as DestinationStream,
  );
}
