/**
 * Whether the projects that an ACL names exist. That one does is remembered for minutes, that one
 * does not for seconds: it may be made.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Acl } from './acl.js';
import { invalid } from './acl-request.js';
import { PROJECTS, type Projects } from './projects.port.js';
import { Recent } from './recent.js';

const REMEMBERED = 10_000;
/** Milliseconds. */
const KNOWN_LIFE = 300_000;
const UNKNOWN_LIFE = 2_000;
/** What can be a project's id at all. */
const ID = /^[\w-]{1,64}$/;

@Injectable()
export class Grantees {
  readonly #known = new Recent<boolean>(REMEMBERED);

  constructor(@Inject(PROJECTS) private readonly projects: Projects) {}

  /**
   * @param known ids of projects that exist: the caller's, and the owner's
   * @throws S3Error InvalidArgument
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async require(acl: Acl | null, known: readonly (string | undefined)[]): Promise<void> {
    const ids = new Set(
      (acl?.grants ?? []).flatMap(({ grantee }) => (grantee.kind === 'project' ? grantee.id : [])),
    );
    for (const id of ids) {
      if (known.includes(id) || (await this.#exists(id))) continue;
      throw invalid('CanonicalUser/ID', id, `Invalid id: there is no project ${id}.`);
    }
  }

  async #exists(id: string): Promise<boolean> {
    if (!ID.test(id)) return false;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const exists = await this.projects.exists({ as: 'service' }, id);
    return this.#known.set(id, exists, exists ? KNOWN_LIFE : UNKNOWN_LIFE);
  }
}
