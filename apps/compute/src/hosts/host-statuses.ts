import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { versionOf } from '../versions/microversions.js';
import { HostRepository } from './host.repository.js';

/** Whether the hosts of servers respond: for administrators, since microversion 2.16. */
@Injectable()
export class HostStatuses {
  constructor(private readonly hosts: HostRepository) {}

  /** One statement for a page of servers, and none for callers who may not know. */
  of(ctx: RequestContext): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string> {
    return ctx.isAdmin && versionOf(ctx).atLeast(16) ? this.hosts.statuses(ctx) : NONE;
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
