import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { selectRow } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { domains } from '../domains/domain.repository.js';
import { StoredDomainConfig } from './domain-config.entity.js';
import {
  checkPlace,
  configIn,
  merged,
  partOf,
  visible,
  without,
  type ConfigPlace,
  type DomainConfig,
  type Options,
} from './domain-config.js';

/** What a path is about, and for which domain. */
export interface DomainPlace extends ConfigPlace {
  readonly domain_id: string;
}

class DomainConfigNotFoundError extends DomainError {
  constructor({ domain_id: domainId, group = '', option }: DomainPlace) {
    const what = option === undefined ? `group ${group}` : `option ${option} in group ${group}`;
    super(
      'not-found',
      `Could not find ${group === '' ? 'any options' : what} in domain configuration for domain ${domainId}.`,
    );
  }
}

/** @throws DomainConfigNotFoundError if the configuration has nothing at this place */
export function shownOf(config: DomainConfig, place: DomainPlace): Options {
  const shown = partOf(config, place);
  if (!shown) throw new DomainConfigNotFoundError(place);
  return shown;
}

/**
 * Configuration of domains. It is kept and shown but has no effect: identity itself keeps the users
 * of all domains. Public source: Keystone API reference, "Domain configuration".
 */
@Injectable()
export class DomainConfigsService {
  constructor(private readonly seal: Seal) {}

  /** @throws NotFoundError, DomainConfigNotFoundError, InvalidDomainConfigError */
  async show(ctx: RequestContext, place: DomainPlace): Promise<Options> {
    checkPlace(place);
    await domains.get(ctx, place.domain_id);
    return shownOf(visible(await this.#load(ctx, place.domain_id)), place);
  }

  /** @returns what there was, and what is shown of the new one */
  replace(ctx: RequestContext, place: DomainPlace, body: Options): Promise<[Options, Options]> {
    const config = configIn(body);
    return this.#change(ctx, place, () => config);
  }

  /**
   * Merges the body into what there is; a group or an option in the path must exist already.
   * @returns what there was, and all that is shown afterwards
   */
  update(ctx: RequestContext, place: DomainPlace, body: Options): Promise<[Options, Options]> {
    const config = configIn(body, place);
    return this.#change(ctx, place, (now) => merged(now, config));
  }

  async delete(ctx: RequestContext, place: DomainPlace): Promise<void> {
    const { group, option } = place;
    checkPlace(place);
    await this.#change(ctx, place, (now) =>
      without(now, (...of) => of[0] === (group ?? of[0]) && of[1] === (option ?? of[1])),
    );
  }

  #change(
    ctx: RequestContext,
    place: DomainPlace,
    change: (before: DomainConfig) => DomainConfig,
  ): Promise<[Options, Options]> {
    return inTransaction(ctx, async (tx) => {
      const { id } = await domains.lock(tx, place.domain_id);
      const before = await this.#load(tx, id);
      if (place.group !== undefined) shownOf(before, place);
      const after = change(before);
      const row = { domainId: id, sealedConfig: this.seal.seal(JSON.stringify(after)) };
      await tx.manager.upsert(StoredDomainConfig, row, ['domainId']);
      return [before, visible(after)];
    });
  }

  async #load(ctx: RequestContext, id: string): Promise<DomainConfig> {
    const row = await selectRow(ctx.manager, StoredDomainConfig, 'WHERE domain_id = $1', [id]);
    return row ? (JSON.parse(this.seal.open(row.sealedConfig)) as DomainConfig) : {};
  }
}
