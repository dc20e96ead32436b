/**
 * The four routes of ACLs, the same for secrets and containers. The one operation is to read. Public
 * source: Key Manager API reference, "ACL API".
 */
import { Body, Controller, Delete, Get, Param, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { BooleanField, ObjectField, StringListField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { Permits } from '../access/access.js';
import type { OwnedColumns } from '../access/owned.js';
import type { PolicyName } from '../access/policy.js';
import { containers } from '../containers/container.resource.js';
import { containerRef, secretRef } from '../http/refs.js';
import { zonelessTime } from '../http/time.js';
import { secrets } from '../secrets/secret.resource.js';

const MAX_USERS = 1_000;
const PROJECT_ACCESS = 'Whether all members of the project may read it.';

class ReadersDto {
  @StringListField({ optional: true, maxItems: MAX_USERS, description: 'The IDs of users.' })
  users?: string[];

  @BooleanField({ optional: true, description: `${PROJECT_ACCESS} True by default.` })
  'project-access'?: boolean;
}

class AclDto {
  @ObjectField(() => ReadersDto, { optional: true })
  read?: ReadersDto;
}

const ReadersView = answerClass('ReadersView', {
  'project-access': Shown(Boolean, PROJECT_ACCESS),
  users: Shown([String], 'The users, of any project, who may read it.', { optional: true }),
  created: Shown(String, 'When the ACL was created, in UTC.', { optional: true }),
  updated: Shown(String, 'When the ACL was last changed, in UTC.', { optional: true }),
});

const AclView = shownUnder('read', ReadersView);
const AclRefView = answerClass('AclRefView', { acl_ref: Shown(String, 'The URL of the ACL.') });

type Acl = Pick<OwnedColumns, 'projectAccess' | 'aclUsers' | 'aclCreatedAt' | 'aclUpdatedAt'>;

/** Without an ACL, the project may read. */
const NO_ACL = {
  projectAccess: true,
  aclUsers: [],
  aclCreatedAt: null,
  aclUpdatedAt: null,
} satisfies Acl;

function aclView({ projectAccess, aclUsers, aclCreatedAt, aclUpdatedAt }: Acl): object {
  if (!aclCreatedAt || !aclUpdatedAt) return { read: { 'project-access': true } };
  return {
    read: {
      'project-access': projectAccess,
      users: aclUsers,
      created: zonelessTime(aclCreatedAt),
      updated: zonelessTime(aclUpdatedAt),
    },
  };
}

function changed(before: Acl, { read }: AclDto): Acl {
  if (!read) return before;
  const { users = before.aclUsers, 'project-access': projectAccess = before.projectAccess } = read;
  return {
    projectAccess,
    aclUsers: [...new Set(users)],
    aclCreatedAt: before.aclCreatedAt ?? new Date(),
    aclUpdatedAt: new Date(),
  };
}

/** An empty body removes the ACL. */
function replaced({ aclCreatedAt }: Acl, body: AclDto): Acl {
  return body.read ? changed({ ...NO_ACL, aclCreatedAt }, body) : NO_ACL;
}

interface Controlled<Id extends string> {
  permitted(ctx: RequestContext, id: Id, operation: PolicyName): Promise<OwnedColumns>;
  held(tx: RequestContext, id: Id, operation: PolicyName): Promise<OwnedColumns>;
  update(tx: RequestContext, id: Id, change: Partial<OwnedColumns>): Promise<OwnedColumns>;
}

function aclsController<Id extends string>(
  kind: 'secret' | 'container',
  table: Controlled<Id>,
  refOf: (ctx: RequestContext, id: string) => string,
) {
  async function change(
    ctx: RequestContext,
    id: string,
    operation: PolicyName,
    of: (before: Acl) => Acl,
  ): Promise<object> {
    await inTransaction(ctx, async (tx) => {
      const { projectAccess, aclUsers, aclCreatedAt, aclUpdatedAt } = of(
        await table.held(tx, id as Id, operation),
      );
      await table.update(tx, id as Id, { projectAccess, aclUsers, aclCreatedAt, aclUpdatedAt });
    });
    return { acl_ref: `${refOf(ctx, id)}/acl` };
  }

  abstract class AclsController {
    @Get()
    @Permits(`${kind}_acls:get`)
    @Operation(`Show a ${kind}'s ACL`, AclView)
    async show(@Ctx() ctx: RequestContext, @Param(`${kind}_id`) id: string): Promise<object> {
      return aclView(await table.permitted(ctx, id as Id, `${kind}_acls:get`));
    }

    @Put()
    @Permits(`${kind}_acls:put_patch`)
    @Operation(`Set a ${kind}'s ACL`, AclRefView)
    set(
      @Ctx() ctx: RequestContext,
      @Param(`${kind}_id`) id: string,
      @Body() body: AclDto,
    ): Promise<object> {
      return change(ctx, id, `${kind}_acls:put_patch`, (acl) => replaced(acl, body));
    }

    @Patch()
    @Permits(`${kind}_acls:put_patch`)
    @Operation(`Change a ${kind}'s ACL`, AclRefView)
    change(
      @Ctx() ctx: RequestContext,
      @Param(`${kind}_id`) id: string,
      @Body() body: AclDto,
    ): Promise<object> {
      return change(ctx, id, `${kind}_acls:put_patch`, (acl) => changed(acl, body));
    }

    @Delete()
    @Permits(`${kind}_acls:delete`)
    @Operation(`Delete a ${kind}'s ACL`, null, { status: 200 })
    async delete(@Ctx() ctx: RequestContext, @Param(`${kind}_id`) id: string): Promise<void> {
      await change(ctx, id, `${kind}_acls:delete`, () => NO_ACL);
    }
  }
  return AclsController;
}

@ApiTags('ACLs')
@Controller('v1/secrets/:secret_id/acl')
export class SecretAclsController extends aclsController('secret', secrets, secretRef) {}

@ApiTags('ACLs')
@Controller('v1/containers/:container_id/acl')
export class ContainerAclsController extends aclsController(
  'container',
  containers,
  containerRef,
) {}

@Feature({ controllers: [SecretAclsController, ContainerAclsController] })
export class AclsModule {}
