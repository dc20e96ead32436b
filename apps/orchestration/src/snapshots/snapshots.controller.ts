import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { OfStack, type StackPath } from '../http/stack-path.js';
import { ResourceSnapshot, StackSnapshot } from '../rows/stack-snapshot.entity.js';
import { NewSnapshotDto, SnapshotAnswer, SnapshotCreated, SnapshotList } from './snapshot.dto.js';
import { snapshotView } from './snapshot.view.js';
import { SnapshotsService } from './snapshots.service.js';

@Controller('stacks/:stack_name/:stack_id/snapshots')
export class SnapshotsController {
  constructor(private readonly snapshots: SnapshotsService) {}

  @Get()
  @Allow('reader')
  @Operation('List the snapshots of a stack', SnapshotList)
  async list(@Ctx() ctx: RequestContext, @OfStack() path: StackPath): Promise<object> {
    const rows = await this.snapshots.list(ctx, path);
    return { snapshots: rows.map((row) => this.#view(ctx, row)) };
  }

  @Post()
  @Allow('member')
  @Operation('Take a snapshot of a stack', SnapshotCreated, {
    status: 200,
    creates: true,
    errors: [404],
  })
  async create(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Body() body: NewSnapshotDto,
  ): Promise<object> {
    return this.#view(ctx, await this.snapshots.create(ctx, path, body.name ?? null));
  }

  @Get(':snapshot_id')
  @Allow('reader')
  @Operation('Show a snapshot of a stack', SnapshotAnswer)
  async show(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('snapshot_id') snapshotId: string,
  ): Promise<object> {
    return { snapshot: this.#view(ctx, await this.snapshots.show(ctx, path, snapshotId)) };
  }

  @Delete(':snapshot_id')
  @Allow('member')
  @Operation('Delete a snapshot of a stack', null, { errors: [409] })
  async delete(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('snapshot_id') snapshotId: string,
  ): Promise<void> {
    await this.snapshots.delete(ctx, path, snapshotId);
  }

  @Post(':snapshot_id/restore')
  @Allow('member')
  @Operation('Restore a snapshot of a stack', null, { status: 202, creates: false, errors: [409] })
  async restore(
    @Ctx() ctx: RequestContext,
    @OfStack() path: StackPath,
    @Param('snapshot_id') snapshotId: string,
  ): Promise<void> {
    await this.snapshots.restore(ctx, path, snapshotId);
  }

  /** The content may be secret, so it is only shown to those who may restore it. */
  #view(ctx: RequestContext, row: StackSnapshot): object {
    const mayRead = ctx.roles.some((role) => role !== 'reader');
    return snapshotView(row, mayRead ? this.snapshots.dataOf(row) : null);
  }
}

@Feature({
  controllers: [SnapshotsController],
  providers: [SnapshotsService],
  entities: [ResourceSnapshot, StackSnapshot],
})
export class SnapshotsModule {}
