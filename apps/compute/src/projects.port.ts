/** The port to identity, besides tokens; tests replace it. */
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ProjectsClient } from '@cumulet/clients/identity/projects-client';
import { invalid } from '@cumulet/common/errors/domain-error';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from './config.js';

export type Projects = Pick<ProjectsClient, 'exists'>;

/** 400 as Nova, which clients take for a project that does not exist. */
export class InvalidProjectError extends invalid(
  (id: string) => `Project ID ${id} is not a valid project.`,
) {}

export const PROJECTS = Symbol('projects');

@Feature({
  providers: [
    {
      provide: PROJECTS,
      inject: [CONFIG, ActorCredentials],
      useFactory: ({ identityUrl }: ComputeConfig, credentials: ActorCredentials) =>
        new ProjectsClient({ identityUrl, credentials }),
    },
  ],
})
export class ProjectsModule {}
