/** A request whose path is rewritten; what is noted on it, the guard reads later. */
export interface RewrittenRequest {
  url?: string | undefined;
  /** The project that the path named (`/v2.1/{project_id}/…`), which the token must be of. */
  pathProjectId?: string;
}
