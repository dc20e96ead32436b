/** Public source: Key Manager API reference, "ACL API". */
import { Body, Controller, Delete, Get, Param, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Permits } from '../access/access.js';
import type { OwnedColumns } from '../access/owned.columns.js';
import type { PolicyName } from '../access/policy.js';
import { containers, type ContainerId } from '../containers/container.entity.js';
import { containerRef, secretRef } from '../http/refs.js';
import { secrets, type SecretId } from '../secrets/secret.entity.js';
import {
  AclDto,
  AclRefView,
  aclView,
  AclView,
  changed,
  NO_ACL,
  replaced,
  type Acl,
} from './acl.dto.js';

/** What has an ACL. */
interface Controlled<Id extends string> {
  held(tx: RequestContext, id: Id, operation: PolicyName): Promise<OwnedColumns>;
  update(tx: RequestContext, id: Id, change: Partial<OwnedColumns>): Promise<OwnedColumns>;
}

async function change<Id extends string>(
  ctx: RequestContext,
  table: Controlled<Id>,
  id: Id,
  operation: PolicyName,
  of: (before: Acl) => Acl,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { projectAccess, aclUsers, aclCreatedAt, aclUpdatedAt } = of(
      await table.held(tx, id, operation),
    );
    await table.update(tx, id, { projectAccess, aclUsers, aclCreatedAt, aclUpdatedAt });
  });
}

@ApiTags('ACLs')
@Controller('v1/secrets/:secret_id/acl')
export class SecretAclsController {
  @Get()
  @Permits('secret_acls:get')
  @Operation("Show a secret's ACL", AclView)
  async show(@Ctx() ctx: RequestContext, @Param('secret_id') id: SecretId): Promise<AclView> {
    return aclView(await secrets.permitted(ctx, id, 'secret_acls:get'));
  }

  @Put()
  @Permits('secret_acls:put_patch')
  @Operation("Set a secret's ACL", AclRefView)
  async set(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Body() body: AclDto,
  ): Promise<AclRefView> {
    await change(ctx, secrets, id, 'secret_acls:put_patch', (acl) => replaced(acl, body));
    return { acl_ref: `${secretRef(ctx, id)}/acl` };
  }

  @Patch()
  @Permits('secret_acls:put_patch')
  @Operation("Change a secret's ACL", AclRefView)
  async change(
    @Ctx() ctx: RequestContext,
    @Param('secret_id') id: SecretId,
    @Body() body: AclDto,
  ): Promise<AclRefView> {
    await change(ctx, secrets, id, 'secret_acls:put_patch', (acl) => changed(acl, body));
    return { acl_ref: `${secretRef(ctx, id)}/acl` };
  }

  @Delete()
  @Permits('secret_acls:delete')
  @Operation("Delete a secret's ACL", null, { status: 200 })
  async delete(@Ctx() ctx: RequestContext, @Param('secret_id') id: SecretId): Promise<void> {
    await change(ctx, secrets, id, 'secret_acls:delete', () => NO_ACL);
  }
}

@ApiTags('ACLs')
@Controller('v1/containers/:container_id/acl')
export class ContainerAclsController {
  @Get()
  @Permits('container_acls:get')
  @Operation("Show a container's ACL", AclView)
  async show(@Ctx() ctx: RequestContext, @Param('container_id') id: ContainerId): Promise<AclView> {
    return aclView(await containers.permitted(ctx, id, 'container_acls:get'));
  }

  @Put()
  @Permits('container_acls:put_patch')
  @Operation("Set a container's ACL", AclRefView)
  async set(
    @Ctx() ctx: RequestContext,
    @Param('container_id') id: ContainerId,
    @Body() body: AclDto,
  ): Promise<AclRefView> {
    await change(ctx, containers, id, 'container_acls:put_patch', (acl) => replaced(acl, body));
    return { acl_ref: `${containerRef(ctx, id)}/acl` };
  }

  @Patch()
  @Permits('container_acls:put_patch')
  @Operation("Change a container's ACL", AclRefView)
  async change(
    @Ctx() ctx: RequestContext,
    @Param('container_id') id: ContainerId,
    @Body() body: AclDto,
  ): Promise<AclRefView> {
    await change(ctx, containers, id, 'container_acls:put_patch', (acl) => changed(acl, body));
    return { acl_ref: `${containerRef(ctx, id)}/acl` };
  }

  @Delete()
  @Permits('container_acls:delete')
  @Operation("Delete a container's ACL", null, { status: 200 })
  async delete(@Ctx() ctx: RequestContext, @Param('container_id') id: ContainerId): Promise<void> {
    await change(ctx, containers, id, 'container_acls:delete', () => NO_ACL);
  }
}

@Feature({ controllers: [SecretAclsController, ContainerAclsController] })
export class AclsModule {}
