/** What of members is asked elsewhere, or follows from where their load balancer runs. */
import { Inject, Injectable } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { LoadBalancerConfig } from '../config.js';
import { NETWORKS, type Networks } from '../network/networks.port.js';
import { InvalidSubresourceError } from '../resources/octavia.errors.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import type { Member } from '../tree/member.entity.js';
import { refuseMemberAddresses, refuseOwnVips } from '../vip/member-addresses.js';
import type { NewMember } from './member.resource.js';

/** Ids that one list of subnets is filtered by: an address has its length. */
const SUBNETS_AT_ONCE = 50;

@Injectable()
export class MemberChecks {
  constructor(
    @Inject(CONFIG) private readonly config: LoadBalancerConfig,
    @Inject(NETWORKS) private readonly networks: Networks,
  ) {}

  /**
   * Of new ones, before a transaction is open.
   * @throws InvalidSubresourceError for a subnet that the caller does not see
   * @throws MemberSRIOVDisabledError
   */
  async requireNew(ctx: RequestContext, bodies: readonly NewMember[]): Promise<void> {
    if (bodies.some(({ request_sriov: isWanted }) => isWanted))
      throw new MemberSRIOVDisabledError();
    await this.#requireSubnets(
      ctx,
      bodies.flatMap(({ subnet_id: id }) => id ?? []),
    );
  }

  /** @throws ValidationExceptionError for an address that nobody may be sent to */
  requireAddresses(
    loadBalancer: Pick<LoadBalancer, 'vipAddress'>,
    rows: readonly Partial<Pick<Member, 'address' | 'monitorAddress'>>[],
  ): void {
    const addresses = rows.flatMap(({ address, monitorAddress }) => [address, monitorAddress]);
    refuseMemberAddresses(loadBalancer, this.config, addresses);
  }

  /** The same of new ones. @throws ValidationExceptionError for the load balancer's own addresses too */
  requireNewAddresses(
    loadBalancer: Pick<LoadBalancer, 'vipAddress' | 'additionalVips'>,
    rows: readonly Partial<Pick<Member, 'address' | 'monitorAddress'>>[],
  ): void {
    this.requireAddresses(loadBalancer, rows);
    refuseOwnVips(
      loadBalancer,
      rows.map(({ address }) => address),
    );
  }

  async #requireSubnets(ctx: RequestContext, named: readonly string[]): Promise<void> {
    const ids = [...new Set(named)];
    for (let at = 0; at < ids.length; at += SUBNETS_AT_ONCE) {
      const asked = ids.slice(at, at + SUBNETS_AT_ONCE);
      const found = await this.networks.subnets(asCaller(ctx), { id: asked });
      const missing = asked.find((id) => !found.some((subnet) => subnet.id === id));
      if (missing !== undefined) throw new InvalidSubresourceError('Subnet', missing);
    }
  }
}

export class MemberSRIOVDisabledError extends DomainError {
  constructor() {
    super('invalid', 'The load balancer flavor does not allow SR-IOV member ports.');
  }
}
