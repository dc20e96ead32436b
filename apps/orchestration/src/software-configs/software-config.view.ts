import { heatTime } from '../http/links.js';
import type { Json, JsonObject } from '../json/json.js';
import type { SoftwareConfig } from './software-config.entity.js';

export interface SoftwareConfigContent {
  readonly config: Json;
  readonly inputs: readonly JsonObject[];
  readonly outputs: readonly JsonObject[];
  readonly options: JsonObject | null;
}

type Listed = Pick<SoftwareConfig, 'id' | 'name' | 'group' | 'createdAt' | 'projectId'>;

export function softwareConfigSummary(row: Listed, withProject = false): object {
  return {
    id: row.id,
    name: row.name,
    group: row.group,
    creation_time: heatTime(row.createdAt),
    ...(withProject ? { project: row.projectId } : {}),
  };
}

export function softwareConfigView(row: Listed, content: SoftwareConfigContent): object {
  const { config, inputs, outputs, options } = content;
  return { ...softwareConfigSummary(row), config, inputs, outputs, options };
}
