import { Shown } from '@cumulet/common/http/shown';
import { RebuiltServerView } from '../servers/server.answers.js';
import { OfferedConsole } from '../consoles/console.dto.js';

/** What actions answer that have an answer: each its own property. */
export class ActionAnswer {
  @Shown(String, 'What the guest wrote to its serial console, the oldest line first.', {
    optional: true,
  })
  output?: string;

  @Shown(String, "The password of a rescued server's administrator.", { optional: true })
  adminPass?: string;

  @Shown(() => OfferedConsole, 'The console. Until 2.5.', { optional: true })
  console?: OfferedConsole;

  @Shown(String, 'The image that is being made. Since 2.45.', { optional: true })
  image_id?: string;

  @Shown(() => RebuiltServerView, 'The server that is being rebuilt.', { optional: true })
  server?: RebuiltServerView;
}

/** An answer without a body, which only says where something is. */
export class Location {
  constructor(readonly href: string) {}
}
