import { Shown } from '@cumulet/common/http/shown';
import type { UsageOfBucket } from './usage.repository.js';

export class BucketUsageView {
  @Shown(String, 'Its name.')
  name: string;

  @Shown('integer', 'Objects in it, each version of them.')
  objects: number;

  @Shown('integer', 'Bytes of these objects.')
  bytes: number;
}

export class ProjectUsageView {
  @Shown(String, 'The project, by its id.')
  project_id: string;

  @Shown('integer', 'Objects in all of its buckets.')
  objects: number;

  @Shown('integer', 'Bytes in all of its buckets.')
  bytes: number;

  @Shown([() => BucketUsageView], 'Its buckets, by name.')
  buckets: BucketUsageView[];
}

export class UsageAnswer {
  @Shown(
    [() => ProjectUsageView],
    'The projects that have buckets: all for an administrator, or that of the caller.',
  )
  projects: ProjectUsageView[];
}

/** @param rows of a project stand together */
export function usageView(rows: readonly UsageOfBucket[]): UsageAnswer {
  const projects = new Map<string, ProjectUsageView>();
  for (const { projectId, name, objects, bytes } of rows) {
    const none: ProjectUsageView = { project_id: projectId, objects: 0, bytes: 0, buckets: [] };
    const project = projects.get(projectId) ?? none;
    projects.set(projectId, project);
    project.objects += objects;
    project.bytes += bytes;
    project.buckets.push({ name, objects, bytes });
  }
  return { projects: [...projects.values()] };
}
