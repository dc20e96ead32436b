/**
 * A Jest test sequencer: the tiers whose files take long, and wait for other programs for most of
 * that, begin, so that no core is idle at the end.
 */
import Sequencer from '@jest/test-sequencer';

const ORDER = ['conformance', 'dataplane'];

export default class LongTiersFirst extends Sequencer {
  sort(tests) {
    const rank = ({ context }) => {
      const at = ORDER.indexOf(context.config.displayName?.name);
      return at === -1 ? ORDER.length : at;
    };
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
