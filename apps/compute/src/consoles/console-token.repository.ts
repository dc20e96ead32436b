/** Tokens that open a console once, for a short time. No row and no log holds a token itself. */
import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Check, Entity, ForeignKey, Index } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { internal } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { choice, id, text } from '@cumulet/common/resources/field-type';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import { compares, equals } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import type { ComputeConfig } from '../config.js';
import { Server, type ServerId } from '../servers/server.entity.js';
import { instant } from '../http/times.js';
import { ConsoleTokenNotFoundError } from './console.errors.js';

/** The types of consoles on offer, by Nova's names. */
export const CONSOLE_TYPES = ['novnc', 'serial'] as const;
export type ConsoleType = (typeof CONSOLE_TYPES)[number];

@Entity('console_tokens')
@Check('console_tokens_type_check', `type IN ('novnc', 'serial')`)
@Index('console_tokens_server_idx', ['serverId'])
@Index('console_tokens_expiry_idx', ['expiresAt'])
@ForeignKey(() => Server, ['serverId'], ['id'], {
  name: 'console_tokens_server_fkey',
  onDelete: 'CASCADE',
})
export class ConsoleToken extends rowOf({
  /** SHA-256, hexadecimal. */
  tokenHash: internal(text(), {
    primary: true,
    primaryKeyConstraintName: 'console_tokens_pkey',
  }),
  serverId: internal(id<ServerId>()),
  type: internal(choice(CONSOLE_TYPES)),
  expiresAt: internal(instant),
}) {}

const tokens = new Table(ConsoleToken, { missing: () => new ConsoleTokenNotFoundError() });

@Injectable()
export class ConsoleTokens {
  constructor(@Inject(CONFIG) private readonly config: ComputeConfig) {}

  /** @returns a UUID, as Nova's: a token that begins with a dash would be an option to a client */
  async issue(ctx: RequestContext, serverId: ServerId, type: ConsoleType): Promise<string> {
    const token = randomUUID();
    const expiresAt = new Date(Date.now() + this.config.consoleTokenSeconds * 1000);
    await tokens.insert(ctx, { tokenHash: hashOf(token), serverId, type, expiresAt });
    return token;
  }

  /** Does not use the token up. Undefined if it is used, too old or unknown. */
  async find(ctx: RequestContext, token: string): Promise<ConsoleToken | undefined> {
    const row = await tokens.find(ctx, { tokenHash: hashOf(token) });
    return row && row.expiresAt > new Date() ? row : undefined;
  }

  /** Uses a token up. @returns false if it is used, too old or unknown */
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
