/**
 * Tokens that open a console: each once, and for a short while.
 *
 * Always holds: a token itself is in no row and no log. Whoever takes one first has it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import { compares, equals } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import type { ComputeConfig } from '../config.js';
import type { ServerId } from '../servers/server.entity.js';
import { ConsoleToken, type ConsoleType } from './console-token.entity.js';
import { ConsoleTokenNotFoundError } from './console.errors.js';

const TOKEN_BYTES = 32;

const tokens = new Table(ConsoleToken, { missing: () => new ConsoleTokenNotFoundError() });

@Injectable()
export class ConsoleTokens {
  constructor(@Inject(CONFIG) private readonly config: ComputeConfig) {}

  async issue(ctx: RequestContext, serverId: ServerId, type: ConsoleType): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(Date.now() + this.config.consoleTokenSeconds * 1000);
    await tokens.insert(ctx, { tokenHash: hashOf(token), serverId, type, expiresAt });
    return token;
  }

  /** What a token opens; it can still be taken. Undefined if it is used, too old or unknown. */
  async find(ctx: RequestContext, token: string): Promise<ConsoleToken | undefined> {
    const row = await tokens.find(ctx, { tokenHash: hashOf(token) });
    return row && row.expiresAt > new Date() ? row : undefined;
  }

  /** Uses a token up. @returns whether it was there to be used */
  async take(ctx: RequestContext, token: string): Promise<boolean> {
    return (await tokens.deleteAll(ctx, [equals('tokenHash', hashOf(token))])) > 0;
  }

  @SweepEvery(60_000, 'console-tokens')
  async forgetExpired(ctx: RequestContext): Promise<void> {
    await tokens.deleteAll(ctx, [compares('expiresAt', 'lt', new Date())]);
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
