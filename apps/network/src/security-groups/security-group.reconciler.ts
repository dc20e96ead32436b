import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Reconciles } from '@cumulet/common/service/background';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { parseCidr } from '@cumulet/common/addresses/ip-address';
import { AppliedReconciler } from '../resource/applied.reconciler.js';
import { securityGroups, rules } from './default-group.js';
import type { SecurityGroup } from './security-group.resource.js';
import { securityGroupStates } from './security-group.states.js';
import { addressGroups } from '../address-groups/address-groups.service.js';
import type { SecurityGroupSpec } from '../data-plane/data-plane.js';
import type { SecurityGroupRule } from './rules/security-group-rule.resource.js';

@Reconciles()
@Injectable()
export class SecurityGroupReconciler extends AppliedReconciler<SecurityGroup> {
  readonly states = securityGroupStates;
  protected readonly table = securityGroups;
  protected readonly title = 'SecurityGroup';

  protected async ensure(ctx: RequestContext, row: SecurityGroup): Promise<void> {
    await this.dataPlane.ensureSecurityGroup(await securityGroupSpecOf(ctx, row));
  }

  protected remove(id: string): Promise<void> {
    return this.dataPlane.removeSecurityGroup(id);
  }
}

/** The group as the data plane gets it, with its rules and the addresses of address groups. */
async function securityGroupSpecOf(
  ctx: RequestContext,
  { id, stateful }: Pick<SecurityGroup, 'id' | 'stateful'>,
): Promise<SecurityGroupSpec> {
  const own = await rules.select(ctx, [equals('securityGroupId', id)], 'ORDER BY id');
  const ids = own.map((rule) => rule.remoteAddressGroupId).filter((one) => one !== null);
  const groups = ids.length > 0 ? await addressGroups.select(ctx, [oneOf('id', ids)]) : [];
  const addresses = new Map(groups.map((group) => [group.id, group.addresses]));
  return {
    id,
    stateful,
    rules: own.map((rule) => ({
      id: rule.id,
      direction: rule.direction,
      ethertype: rule.ethertype,
      protocol: rule.protocol,
      portRangeMin: rule.portRangeMin,
      portRangeMax: rule.portRangeMax,
      remotePrefixes: prefixesOf(rule, addresses),
      remoteGroupId: rule.remoteGroupId,
    })),
  };
}

function prefixesOf(
  { ethertype, remoteIpPrefix, remoteAddressGroupId }: SecurityGroupRule,
  addresses: ReadonlyMap<string, readonly string[]>,
): readonly string[] | null {
  if (remoteAddressGroupId === null) return remoteIpPrefix === null ? null : [remoteIpPrefix];
  const all = addresses.get(remoteAddressGroupId) ?? [];
  return all.filter((one) => `IPv${parseCidr(one)?.version ?? ''}` === ethertype);
}
