import { heatTime } from '../http/links.js';
import type { JsonObject } from '../json/json.js';
import type { SoftwareDeployment } from './software-deployment.entity.js';

export interface DeploymentValues {
  readonly inputs: JsonObject | null;
  readonly outputs: JsonObject | null;
}

export function softwareDeploymentView(
  row: SoftwareDeployment,
  { inputs, outputs }: DeploymentValues,
): object {
  return {
    id: row.id,
    server_id: row.serverId,
    config_id: row.configId,
    input_values: inputs,
    output_values: outputs,
    action: row.action,
    status: row.status,
    status_reason: row.statusReason,
    creation_time: heatTime(row.createdAt),
    ...(row.updatedAt === null ? {} : { updated_time: heatTime(row.updatedAt) }),
  };
}
