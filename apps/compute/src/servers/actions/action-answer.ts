import { Shown } from '@cumulet/common/http/shown';
import { OfferedConsole } from '../../consoles/console.dto.js';

/** What actions answer that have an answer: each its own property. */
export class ActionAnswer {
  @Shown(String, 'What the guest wrote to its serial console, the oldest line first.', {
    optional: true,
  })
  output?: string;

  @Shown(() => OfferedConsole, 'The console. Until 2.5.', { optional: true })
  console?: OfferedConsole;
}
