/** A request with a rewritten path; the guard later reads what was recorded here. */
export interface RewrittenRequest {
  url?: string | undefined;
  /** The project in the path (`/v2.1/{project_id}/…`), which the token must belong to. */
  pathProjectId?: string;
}
