import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { addressGroups } from '../address-groups/address-groups.service.js';
import { parseCidr } from '@cumulet/common/addresses/ip-address';
import type { SecurityGroupSpec } from '../data-plane/data-plane.js';
import type { SecurityGroupRule } from './rules/security-group-rule.entity.js';
import { rules } from './default-group.js';
import type { SecurityGroup } from './security-group.entity.js';

/** What the data plane is told of a group, with its rules and the addresses that they name. */
export async function securityGroupSpecOf(
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
