/**
 * Selects the provider of a new load balancer, and checks its flavor and availability zone.
 * Public source: octavia, `api/v2/controllers/load_balancer.py`.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { invalid } from '@cumulet/common/errors/domain-error';
import {
  availabilityZoneProfiles,
  availabilityZones,
} from '../availability-zones/availability-zone.resource.js';
import { flavorProfiles, flavors } from '../flavors/flavor.resource.js';
import { readData, type DataOf, type HAPROXY_ZONE } from '../providers/capabilities.js';
import { Providers, type Provider } from '../providers/providers.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import type { NewLoadBalancer } from './load-balancer.resource.js';

type Offer = Pick<NewLoadBalancer, 'provider' | 'flavorId' | 'availabilityZone'>;

/** The flavor or zone exists, but is disabled for new load balancers. */
export class DisabledOptionError extends invalid(
  (option: string, value: string) =>
    `The selected ${option} is not allowed in this deployment: ${value}`,
) {}

export class ProviderFlavorMismatchError extends invalid(
  (flavor: string, provider: string) =>
    `Flavor '${flavor}' is not compatible with provider '${provider}'`,
) {}

@Injectable()
export class ProviderSelection {
  constructor(private readonly providers: Providers) {}

  /**
   * @param networkId of its VIP
   * @returns its provider: the one that it names, or else its flavor's, or else the usual one
   * @throws ValidationExceptionError for a flavor or a zone that is not there
   * @throws DisabledOptionError, ProviderNotEnabledError, ProviderFlavorMismatchError
   * @throws ProviderUnsupportedOptionError for another provider's zone
   */
  async read(ctx: RequestContext, offer: Offer, networkId: string | null): Promise<Provider> {
    const { provider: name, flavorId, availabilityZone: zone } = offer;
    const named = name == null ? undefined : await this.providers.get(ctx, name);
    const ofFlavor = flavorId == null ? undefined : await this.#providerOfFlavor(ctx, flavorId);
    if (named && ofFlavor && named.driver !== ofFlavor.driver)
      throw new ProviderFlavorMismatchError(flavorId ?? '', named.name);
    const provider = named ?? ofFlavor ?? this.providers.usual;
    if (zone != null) refuseNetwork(await this.#zone(ctx, provider, zone), networkId);
    return provider;
  }

  async #providerOfFlavor(ctx: RequestContext, id: string): Promise<Provider> {
    const flavor = await flavors.find(ctx, id);
    if (!flavor) throw new ValidationExceptionError('Invalid flavor_id.');
    if (!flavor.enabled) throw new DisabledOptionError('flavor', id);
    const { providerName } = await flavorProfiles.get(ctx, flavor.flavorProfileId);
    return this.providers.get(ctx, providerName);
  }

  async #zone(ctx: RequestContext, { name, zone }: Provider, asked: string): Promise<object> {
    const row = await availabilityZones.find(ctx, asked);
    if (!row) throw new ValidationExceptionError('Invalid availability_zone.');
    if (!row.enabled) throw new DisabledOptionError('availabilityZone', asked);
    const profile = await availabilityZoneProfiles.get(ctx, row.availabilityZoneProfileId);
    return readData(name, zone, 'availability_zone_data', profile.availabilityZoneData);
  }
}

function refuseNetwork(zone: DataOf<typeof HAPROXY_ZONE>, networkId: string | null): void {
  const { valid_vip_networks: allowed } = zone;
  if (!allowed || allowed.some((one) => one.toLowerCase() === networkId)) return;
  throw new ValidationExceptionError(
    'Supplied VIP network_id is not allowed by the configuration of this deployment.',
  );
}
