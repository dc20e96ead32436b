/** Public source: Orchestration API reference, "Software configuration". */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals } from '@cumulet/common/tables/condition';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { OrchestrationQuotas } from '../quotas/orchestration-quotas.js';
import type { Json, JsonObject } from '../json/json.js';
import type { NewSoftwareConfigDto } from './software-config.dto.js';
import type { SoftwareConfig } from './software-config.entity.js';
import { inputsOf, outputsOf } from './software-config.io.js';
import { softwareConfigs } from './software-config.repository.js';
import type { SoftwareConfigContent } from './software-config.view.js';

const UNGROUPED = 'Heat::Ungrouped';

export interface ConfigPage {
  readonly limit: number | undefined;
  readonly marker: string | undefined;
  readonly ofAll: boolean;
}

@Injectable()
export class SoftwareConfigsService {
  constructor(
    private readonly sealed: SealedJson,
    private readonly quotas: OrchestrationQuotas,
  ) {}

  /** The newest first. */
  async list(ctx: RequestContext, page: ConfigPage): Promise<readonly SoftwareConfig[]> {
    const { rows } = await softwareConfigs.list(ctx, {
      scope: page.ofAll ? [] : [equals('projectId', ctx.projectId)],
      sort: [{ by: 'createdAt', descending: true }],
      limit: page.limit,
      marker: page.marker,
    });
    return rows;
  }

  find(ctx: RequestContext, id: string): Promise<SoftwareConfig> {
    return softwareConfigs.visible(ctx, id);
  }

  contentOf({ content }: Pick<SoftwareConfig, 'content'>): SoftwareConfigContent {
    return this.sealed.open(content);
  }

  /** @throws InvalidInputError naming the wrong input or output, QuotaExhaustedError */
  async create(ctx: RequestContext, dto: NewSoftwareConfigDto): Promise<SoftwareConfig> {
    const content: SoftwareConfigContent = {
      config: (dto.config ?? null) as Json,
      inputs: inputsOf(dto.inputs),
      outputs: outputsOf(dto.outputs),
      options: (dto.options ?? null) as JsonObject | null,
    };
    return inTransaction(ctx, async (tx) => {
      await this.quotas.claim(tx, { software_configs: 1 });
      return softwareConfigs.insert(tx, {
        id: asId<SoftwareConfig['id']>(randomUUID()),
        projectId: ctx.projectId,
        name: dto.name ?? '',
        group: dto.group ?? UNGROUPED,
        content: this.sealed.seal(content),
      });
    });
  }

  /** @throws NotFoundError, InvalidRestrictedActionError if a deployment uses it */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    const row = await softwareConfigs.visible(ctx, id);
    await softwareConfigs.delete(ctx, { id: row.id });
  }
}
