/**
 * Whether the projects that an ACL names exist. That one does is remembered for minutes, that one
 * does not for seconds: it may be made.
 */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ProjectsClient } from '@cumulet/clients/identity/projects-client';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable, type Provider } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Acl } from '../buckets/acl.js';
import type { S3Config } from '../config.js';
import { invalidArgument } from '../http/s3-error.js';

/** The part of identity that ACLs need; tests replace it. */
export type Projects = Pick<ProjectsClient, 'exists'>;

export const PROJECTS = Symbol('projects');

export const projects: Provider = {
  provide: PROJECTS,
  inject: [CONFIG, ActorCredentials],
  useFactory: ({ identityUrl }: S3Config, credentials: ActorCredentials) =>
    new ProjectsClient({ identityUrl, credentials }),
};

/** Milliseconds. */
const KNOWN_LIFE = 300_000;
const UNKNOWN_LIFE = 2_000;
const ID = /^[\w-]{1,64}$/;

@Injectable()
export class Grantees {
  readonly #known = new LRUCache<string, boolean>({ max: 10_000 });

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
      throw invalidArgument('CanonicalUser/ID', id, `Invalid id: there is no project ${id}.`);
    }
  }

  async #exists(id: string): Promise<boolean> {
    if (!ID.test(id)) return false;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const exists = await this.projects.exists({ as: 'service' }, id);
    this.#known.set(id, exists, { ttl: exists ? KNOWN_LIFE : UNKNOWN_LIFE });
    return exists;
  }
}
