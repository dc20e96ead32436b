import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OrchestrationConfig } from '../config.js';
import { EXACT_JSON } from '../json/exact-json.js';

/** Seals parameters, properties and attributes at rest; lists never open them. */
@Feature({
  providers: [
    {
      provide: SealedJson,
      inject: [CONFIG],
      useFactory: (config: OrchestrationConfig) => new SealedJson(config, EXACT_JSON),
    },
  ],
})
export class SealingModule {}
