/**
 * Posts events to webhooks, without access to addresses that users cannot reach themselves.
 *
 * Always holds: no connection is opened to an address that is not allowed, however the host is
 * named, and redirects are not followed.
 */
import { BlockList, isIP } from 'node:net';
import { guardedLookup } from '@cumulet/common/addresses/guarded-lookup';
import { isPublicAddress } from '@cumulet/common/addresses/public-address';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Agent, request } from 'undici';
import type { S3Config } from '../config.js';
import type { EventRecord } from './event-record.js';

const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Cumulet-S3' };

export class WebhookError extends Error {}

@Injectable()
export class Webhook implements OnModuleDestroy {
  readonly #agent: Agent;
  readonly #allowed: BlockList;

  constructor(@Inject(CONFIG) { webhookNetworks }: Pick<S3Config, 'webhookNetworks'>) {
    this.#allowed = listOf(webhookNetworks ?? '');
    this.#agent = new Agent({
      connect: {
        lookup: guardedLookup((address) => this.#mayConnect(address), refused),
        timeout: CONNECT_MS,
      },
    });
  }

  /** @throws WebhookError, or what undici throws, unless the webhook answers 2xx in time */
  async post(url: string, record: EventRecord, stopping: AbortSignal): Promise<void> {
    const { hostname } = new URL(url);
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0 && !this.#mayConnect(address)) throw refused(address);
    const { statusCode, body } = await request(url, {
      dispatcher: this.#agent,
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify({ Records: [record] }),
      signal: AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)]),
    });
    await body.dump();
    if (statusCode < 200 || statusCode > 299)
      throw new WebhookError(`the webhook at ${hostname} answered ${statusCode}`);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#agent.destroy();
  }

  #mayConnect(address: string): boolean {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    return isPublicAddress(address) || this.#allowed.check(address, family);
  }
}

function refused(host: string): WebhookError {
  return new WebhookError(`the webhook host ${host} has no address that may be posted to`);
}

/** @param networks addresses and networks, separated by commas */
function listOf(networks: string): BlockList {
  const list = new BlockList();
  for (const one of networks.split(',').map((text) => text.trim())) {
    if (one === '') continue;
    const [address = '', prefix] = one.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
