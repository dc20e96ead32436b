import { allUnder } from '@cumulet/common/http/answers';
import { Shown } from '@cumulet/common/http/shown';
import type { UsageOfBucket } from './usage.repository.js';

export class BucketUsageView {
  @Shown(String, 'The name of the bucket.')
  name: string;

  @Shown('integer', 'The number of objects in the bucket; each version counts.')
  objects: number;

  @Shown('integer', 'The total size of these objects, in bytes.')
  bytes: number;
}

export class ProjectUsageView {
  @Shown(String, 'The ID of the project.')
  project_id: string;

  @Shown('integer', 'The number of objects in all buckets of the project.')
  objects: number;

  @Shown('integer', 'The total size of these objects, in bytes.')
  bytes: number;

  @Shown([() => BucketUsageView], 'The buckets of the project, sorted by name.')
  buckets: BucketUsageView[];
}

export const UsageAnswer = allUnder(
  'projects',
  ProjectUsageView,
  'The projects that have buckets: all of them for an administrator, otherwise that of the caller.',
);

/** @param rows grouped by project */
export function usageView(rows: readonly UsageOfBucket[]): object {
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
