import { Injectable } from '@nestjs/common';
import { asId, type DomainId } from '@cumulet/common/context/ids';
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

class DomainConfigNotFoundError extends DomainError {
  constructor(domainId: string, { group = '', option }: ConfigPlace) {
    const what = option === undefined ? `group ${group}` : `option ${option} in group ${group}`;
    super(
      'not-found',
      `Could not find ${group === '' ? 'any options' : what} in domain configuration for domain ${domainId}.`,
    );
  }
}

/** @throws DomainConfigNotFoundError where there is nothing that the place is about */
export function shownOf(config: DomainConfig, domainId: string, place: ConfigPlace): Options {
  const shown = partOf(config, place);
  if (!shown) throw new DomainConfigNotFoundError(domainId, place);
  return shown;
}

/**
 * Configuration of domains: kept and shown, for identity itself keeps the users of all of them.
 * Public source: Keystone API reference, "Domain configuration".
 */
@Injectable()
export class DomainConfigsService {
  constructor(private readonly seal: Seal) {}

  /** @throws NotFoundError, DomainConfigNotFoundError, InvalidDomainConfigError */
  async show(ctx: RequestContext, domainId: string, place: ConfigPlace): Promise<Options> {
    checkPlace(place);
    await domains.get(ctx, domainId);
    return shownOf(visible(await this.#load(ctx, domainId)), domainId, place);
  }

  /** @returns what there was, and what is shown of the new one */
  replace(ctx: RequestContext, domainId: string, body: Options): Promise<[Options, Options]> {
    const config = configIn(body);
    return this.#change(ctx, domainId, {}, () => config);
  }

  /**
   * What is named joins what there is; a group or an option in the path must be there already.
   * @returns all that is shown of it afterwards
   */
  async update(
    ctx: RequestContext,
    domainId: string,
    place: ConfigPlace,
    body: Options,
  ): Promise<Options> {
    const config = configIn(body, place);
    const [, after] = await this.#change(ctx, domainId, place, (now) => merged(now, config));
    return after;
  }

  async delete(ctx: RequestContext, domainId: string, place: ConfigPlace): Promise<void> {
    const { group, option } = place;
    checkPlace(place);
    await this.#change(ctx, domainId, place, (now) =>
      without(now, (...of) => of[0] === (group ?? of[0]) && of[1] === (option ?? of[1])),
    );
  }

  #change(
    ctx: RequestContext,
    domainId: string,
    place: ConfigPlace,
    change: (before: DomainConfig) => DomainConfig,
  ): Promise<[Options, Options]> {
    return inTransaction(ctx, async (tx) => {
      await domains.lock(tx, domainId);
      const before = await this.#load(tx, domainId);
      if (place.group !== undefined) shownOf(before, domainId, place);
      const after = change(before);
      const sealedConfig = this.seal.seal(JSON.stringify(after));
      const row = { domainId: asId<DomainId>(domainId), sealedConfig };
      await tx.manager.upsert(StoredDomainConfig, row, ['domainId']);
      return [before, visible(after)];
    });
  }

  async #load(ctx: RequestContext, domainId: string): Promise<DomainConfig> {
    const row = await selectRow(ctx.manager, StoredDomainConfig, 'WHERE domain_id = $1', [
      domainId,
    ]);
    return row ? (JSON.parse(this.seal.open(row.sealedConfig)) as DomainConfig) : {};
  }
}
