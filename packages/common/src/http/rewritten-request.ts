import type { IncomingMessage } from 'node:http';

/** The raw request while its path is rewritten; what is noted on it, the guard reads later. */
export interface RewrittenRequest extends IncomingMessage {
  /** The project that the path named (`/v2.1/{project_id}/…`), which the token must be of. */
  pathProjectId?: string;
}
