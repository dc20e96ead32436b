/** The comparison of stored bytes with their rows. */
import { Feature } from '@cumulet/common/service/feature';
import { ScrubRepository } from './scrub.repository.js';
import { ScrubRound } from './scrub-round.entity.js';
import { ScrubSweep } from './scrub.sweep.js';

@Feature({ providers: [ScrubSweep, ScrubRepository], entities: [ScrubRound] })
export class ScrubModule {}
