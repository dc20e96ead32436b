/** What ACLs need of identity; tests replace it. */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ProjectsClient } from '@cumulet/clients/identity/projects-client';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { Provider } from '@nestjs/common';
import type { S3Config } from '../config.js';

export type Projects = Pick<ProjectsClient, 'exists'>;

export const PROJECTS = Symbol('projects');

export const projects: Provider = {
  provide: PROJECTS,
  inject: [CONFIG, ActorCredentials],
  useFactory: ({ identityUrl }: S3Config, credentials: ActorCredentials) =>
    new ProjectsClient({ identityUrl, credentials }),
};
