import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own logs: start-up messages at debug level, warnings and errors as they are. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug(String(message));
  }

  warn(message: unknown): void {
    this.logger.warn(String(message));
  }

  error(message: unknown): void {
    this.logger.error(String(message));
  }
}
