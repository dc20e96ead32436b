/** Public source: Orchestration API reference, "Software configuration". */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { nudgeOwner } from '../rows/stack-nudges.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { OrchestrationQuotas } from '../quotas/orchestration-quotas.js';
import { softwareConfigs } from '../software-configs/software-config.repository.js';
import {
  softwareConfigView,
  type SoftwareConfigContent,
} from '../software-configs/software-config.view.js';
import type { NewSoftwareDeploymentDto, SoftwareDeploymentDto } from './software-deployment.dto.js';
import type { SoftwareDeployment } from './software-deployment.entity.js';
import { softwareDeployments } from './software-deployment.repository.js';
import type { DeploymentValues } from './software-deployment.view.js';

@Injectable()
export class SoftwareDeploymentsService {
  constructor(
    private readonly sealed: SealedJson,
    private readonly quotas: OrchestrationQuotas,
  ) {}

  /** The oldest first. @param serverId limits the list to a server */
  async list(ctx: RequestContext, serverId?: string): Promise<readonly SoftwareDeployment[]> {
    const { rows } = await softwareDeployments.list(ctx, {
      scope: [equals('projectId', ctx.projectId)],
      where: serverId === undefined ? [] : [equals('serverId', serverId)],
      sort: [{ by: 'createdAt', descending: false }],
    });
    return rows;
  }

  find(ctx: RequestContext, id: string): Promise<SoftwareDeployment> {
    return softwareDeployments.visible(ctx, id);
  }

  valuesOf(row: Pick<SoftwareDeployment, 'inputValues' | 'outputValues'>): DeploymentValues {
    return {
      inputs: this.sealed.openIfAny(row.inputValues, null),
      outputs: this.sealed.openIfAny(row.outputValues, null),
    };
  }

  /** Sorted by name. @param projectId by default all projects that the caller may read */
  async metadataOf(
    ctx: RequestContext,
    serverId: string,
    projectId?: string,
  ): Promise<readonly object[]> {
    const scope = projectId === undefined ? reachable(ctx) : [equals('projectId', projectId)];
    const rows = await softwareDeployments.select(ctx, [equals('serverId', serverId), ...scope]);
    if (rows.length === 0) return [];
    const ids = [...new Set(rows.map(({ configId }) => configId))];
    const configs = await softwareConfigs.select(ctx, [oneOf('id', ids)], 'ORDER BY name, id');
    return configs.map((one) =>
      softwareConfigView(one, this.sealed.open<SoftwareConfigContent>(one.content)),
    );
  }

  /** @throws NotFoundError for an unknown config, QuotaExhaustedError */
  async create(ctx: RequestContext, dto: NewSoftwareDeploymentDto): Promise<SoftwareDeployment> {
    return inTransaction(ctx, async (tx) => {
      const config = await softwareConfigs.visible(tx, dto.config_id);
      await this.quotas.claim(tx, { software_deployments: 1 }, config.projectId);
      return softwareDeployments.insert(tx, {
        id: asId<SoftwareDeployment['id']>(randomUUID()),
        projectId: config.projectId,
        configId: config.id,
        serverId: dto.server_id,
        action: dto.action ?? null,
        status: dto.status ?? null,
        statusReason: dto.status_reason ?? null,
        inputValues: this.#sealed(dto.input_values) ?? null,
      });
    });
  }

  /** Omitted and null fields stay. @throws NotFoundError */
  async update(
    ctx: RequestContext,
    id: string,
    dto: SoftwareDeploymentDto,
  ): Promise<SoftwareDeployment> {
    return inTransaction(ctx, async (tx) => {
      const row = await softwareDeployments.visible(tx, id);
      const config =
        dto.config_id == null ? undefined : await softwareConfigs.visible(tx, dto.config_id);
      // The resource that waits for the server's report.
      await nudgeOwner(tx, row.id);
      return softwareDeployments.update(
        tx,
        { id: row.id },
        {
          ...(config ? { configId: config.id } : {}),
          ...given({ action: dto.action, status: dto.status, statusReason: dto.status_reason }),
          ...given({
            inputValues: this.#sealed(dto.input_values),
            outputValues: this.#sealed(dto.output_values),
          }),
          updatedAt: new Date(),
        },
      );
    });
  }

  async delete(ctx: RequestContext, id: string): Promise<void> {
    const row = await softwareDeployments.visible(ctx, id);
    await softwareDeployments.delete(ctx, { id: row.id });
  }

  #sealed(values: object | null | undefined): string | undefined {
    return values == null ? undefined : this.sealed.seal(values);
  }
}

function given(
  change: Readonly<Record<string, string | null | undefined>>,
): Partial<SoftwareDeployment> {
  const entries = Object.entries(change).filter(([, value]) => value != null);
  return Object.fromEntries(entries);
}
