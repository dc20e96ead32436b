import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Condition } from '@cumulet/common/tables/condition';
import { removePolicies, ownOrShared } from '../rbac-policies/sharing.js';
import { expectWithin } from '../resource/bounds.js';
import { ResourceService } from '../resource/resource.service.js';
import {
  AddressGroup,
  type AddressGroupAttributes,
  addressGroupResource,
} from './address-group.resource.js';
import * as errors from './address-group.errors.js';
import { resourceTable } from '../resource/resource.table.js';

export const addressGroups = resourceTable(AddressGroup, errors.AddressGroupNotFoundError, {
  security_group_rules_address_group_fkey: inUse,
  default_security_group_rules_address_group_fkey: inUse,
});

function inUse({ id }: Partial<AddressGroup>): errors.AddressGroupInUseError {
  return new errors.AddressGroupInUseError(id ?? '');
}

export function visibleAddressGroups(ctx: RequestContext): Condition[] {
  return ownOrShared(ctx);
}

/** Called when a group's addresses have changed, under its lock. Security groups register here. */
export const addressGroupUsers: ((tx: RequestContext, id: string) => Promise<void>)[] = [];

@Injectable()
export class AddressGroupsService extends ResourceService<AddressGroup, AddressGroupAttributes> {
  protected readonly resource = addressGroupResource;
  protected readonly table = addressGroups;

  protected override visible(ctx: RequestContext): Condition[] {
    return visibleAddressGroups(ctx);
  }

  protected override async erase(tx: RequestContext, { id }: AddressGroup): Promise<void> {
    await addressGroups.delete(tx, id);
    await removePolicies(tx, id);
  }

  /** @throws AddressesAlreadyExistError for addresses that it has, BadRequestError for too many */
  addAddresses(ctx: RequestContext, id: string, asked: readonly string[]): Promise<AddressGroup> {
    return this.#replace(ctx, id, ({ addresses }) => {
      const known = asked.filter((one) => addresses.includes(one));
      if (known.length > 0) throw new errors.AddressesAlreadyExistError(known, id);
      expectWithin('addresses', addresses.length + asked.length, addresses.length);
      return [...addresses, ...asked];
    });
  }

  /** @throws AddressesNotFoundError for addresses that the group does not have */
  removeAddresses(
    ctx: RequestContext,
    id: string,
    asked: readonly string[],
  ): Promise<AddressGroup> {
    return this.#replace(ctx, id, ({ addresses }) => {
      const unknown = asked.filter((one) => !addresses.includes(one));
      if (unknown.length > 0) throw new errors.AddressesNotFoundError(unknown, id);
      return addresses.filter((one) => !asked.includes(one));
    });
  }

  /** Locks the group before its rules, in the order in which a new rule locks them. */
  #replace(
    ctx: RequestContext,
    id: string,
    next: (group: AddressGroup) => string[],
  ): Promise<AddressGroup> {
    return inTransaction(ctx, async (tx) => {
      const group = await this.lockOwn(tx, id, 'update');
      const saved = await this.save(tx, group, { addresses: next(group) });
      for (const user of addressGroupUsers) await user(tx, group.id);
      return saved;
    });
  }
}
