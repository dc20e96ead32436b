/**
 * The limits of orchestration. Heat has no API for limits: the defaults are settings, and a
 * project's own are rows of `quota_limits`. Public source: Heat installation guide,
 * `max_stacks_per_tenant`, `max_software_configs_per_tenant`, `max_software_deployments_per_tenant`,
 * `max_snapshots_per_stack`, `max_resources_per_stack`, `max_template_size`,
 * `max_nested_stack_depth`.
 */
import { Inject, Injectable } from '@nestjs/common';
import { defineQuotas } from '@cumulet/common/quotas/define-quotas';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OrchestrationConfig } from '../config.js';

export const ORCHESTRATION_QUOTAS = defineQuotas({
  stacks: {
    about: 'Stacks, without those below others.',
    default: ({ stackQuota }: OrchestrationConfig) => stackQuota,
    counted: { as: 'count(*)', in: 'stacks WHERE project_id = $1 AND owner_id IS NULL' },
  },
  software_configs: {
    about: 'Software configs.',
    default: ({ softwareConfigQuota }: OrchestrationConfig) => softwareConfigQuota,
    counted: { as: 'count(*)', in: 'software_configs WHERE project_id = $1' },
  },
  software_deployments: {
    about: 'Software deployments.',
    default: ({ softwareDeploymentQuota }: OrchestrationConfig) => softwareDeploymentQuota,
    counted: { as: 'count(*)', in: 'software_deployments WHERE project_id = $1' },
  },
  snapshots_per_stack: {
    about: 'Snapshots of a stack.',
    default: ({ maxSnapshots }: OrchestrationConfig) => maxSnapshots,
  },
  resources_per_stack: {
    about: 'Resources of a stack, with those of the stacks below it.',
    default: ({ maxResources }: OrchestrationConfig) => maxResources,
  },
  template_bytes: {
    about: 'Bytes of a template, and of each file that goes with it.',
    default: ({ maxTemplateBytes }: OrchestrationConfig) => maxTemplateBytes,
  },
  nested_depth: {
    about: 'Levels of stacks below a stack.',
    default: ({ maxNestedDepth }: OrchestrationConfig) => maxNestedDepth,
  },
});

@Injectable()
export class OrchestrationQuotas extends Quotas<keyof typeof ORCHESTRATION_QUOTAS> {
  constructor(@Inject(CONFIG) config: OrchestrationConfig) {
    super(ORCHESTRATION_QUOTAS, config);
  }
}
