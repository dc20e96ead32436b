/** A request whose path is rewritten; the guard later reads what was recorded on it. */
export interface RewrittenRequest {
  url?: string | undefined;
  /** The project in the path (`/v2.1/{project_id}/…`), which the token must belong to. */
  pathProjectId?: string;
}
