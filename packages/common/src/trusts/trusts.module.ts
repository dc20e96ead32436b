import { Feature } from '../service/feature.js';
import { LooseTrust } from './loose-trust.entity.js';
import { LooseTrustsSweep } from './loose-trusts.sweep.js';
import { NewTrusts } from './new-trusts.js';

/**
 * A feature of every service that works through trusts, beside its migration. The service provides
 * `TrustAuthority` and `TrustHolders`.
 */
@Feature({ providers: [LooseTrustsSweep, NewTrusts], entities: [LooseTrust] })
export class TrustsModule {}
