/**
 * Profiles: what a provider is told of load balancers of a flavor, or of a zone. What they say stays
 * while any flavor or zone has them, so that it holds of every load balancer alike.
 */
import { Inject } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ObjectInUseError } from '../resources/offer.errors.js';
import { OfferedService } from '../resources/offered.service.js';
import { readData, type Capabilities } from './capabilities.js';
import { Providers, type Provider } from './providers.js';

interface Profile {
  readonly id: string;
  readonly providerName: string;
}

export abstract class ProfileService<Row extends Profile, A extends object> extends OfferedService<
  Row,
  A
> {
  /** What the data is called: `flavor_data`, in the column `flavorData`. */
  protected abstract readonly option: string;
  protected abstract readonly data: keyof Row & string;
  protected abstract capabilitiesOf(provider: Provider): Capabilities;
  /** Whether anything has the profile. */
  protected abstract isInUse(tx: RequestContext, id: string): Promise<boolean>;

  @Inject(Providers)
  private readonly providers: Providers;

  protected override async check(
    tx: RequestContext,
    next: Partial<Row>,
    before?: Row,
  ): Promise<void> {
    const row = { ...before, ...next };
    if (before?.providerName === row.providerName && before?.[this.data] === row[this.data]) return;
    if (before && (await this.isInUse(tx, before.id)))
      throw new ObjectInUseError(this.title, before.id);
    const provider = await this.providers.get(tx, row.providerName ?? '');
    readData(provider.name, this.capabilitiesOf(provider), this.option, row[this.data] as string);
  }
}
