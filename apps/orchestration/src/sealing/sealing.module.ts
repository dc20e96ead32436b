import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { resealing, SealedSecret } from '@cumulet/common/sealing/resealing';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OrchestrationConfig } from '../config.js';
import { EXACT_JSON } from '../json/exact-json.js';

const SEALED_COLUMNS = {
  resource_signals: ['content'],
  resource_snapshots: ['data'],
  software_configs: ['content'],
  software_deployments: ['input_values', 'output_values'],
  stack_events: ['properties'],
  stack_resources: [
    'definition',
    'former_definition',
    'properties',
    'frozen',
    'attributes',
    'reference',
    'metadata',
    'data',
  ],
  stack_snapshots: ['data'],
  stack_templates: ['source', 'summary'],
  stacks: ['action_data'],
} as const;

/** Seals parameters, properties and attributes at rest; lists never open them. */
@Feature({
  providers: [
    {
      provide: SealedJson,
      inject: [CONFIG],
      useFactory: (config: OrchestrationConfig) => new SealedJson(config, EXACT_JSON),
    },
    resealing(SealedJson, { prefix: 'ORCHESTRATION', columns: SEALED_COLUMNS }),
  ],
  entities: [SealedSecret],
})
export class SealingModule {}
