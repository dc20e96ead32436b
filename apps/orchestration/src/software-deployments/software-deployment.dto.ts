/** Public source: Orchestration API reference, "Software configuration". */
import { EnumField, StringField, UuidField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { JsonMapField } from '../http/json-shape.js';
import { SoftwareConfigView } from '../software-configs/software-config.dto.js';

export const DEPLOYMENT_STATUSES = ['IN_PROGRESS', 'FAILED', 'COMPLETE'] as const;

const text = { optional: true, nullable: true, min: 0 };

@IgnoresOthers()
class DeploymentFields {
  @JsonMapField({ optional: true, nullable: true, description: 'Values of the inputs.' })
  input_values?: Record<string, unknown> | null;

  @StringField({
    ...text,
    description: 'The action of the stack that it belongs to, such as CREATE.',
  })
  action?: string | null;

  @EnumField(DEPLOYMENT_STATUSES, {
    optional: true,
    nullable: true,
    description: 'The status.',
  })
  status?: string | null;

  @StringField({ ...text, max: 65_536, description: 'The reason for the status.' })
  status_reason?: string | null;
}

export class NewSoftwareDeploymentDto extends DeploymentFields {
  @UuidField({ description: 'The config that is deployed.' })
  config_id: string;

  @StringField({ description: 'The server that it is deployed to.' })
  server_id: string;

  @StringField({
    ...text,
    max: 64,
    description: 'Not used: signals are authorized by their signed address.',
  })
  stack_user_project_id?: string | null;
}

export class SoftwareDeploymentDto extends DeploymentFields {
  @UuidField({ optional: true, nullable: true, description: 'The config that is deployed.' })
  config_id?: string | null;

  @JsonMapField({ optional: true, nullable: true, description: 'Values of the outputs.' })
  output_values?: Record<string, unknown> | null;
}

export const SoftwareDeploymentView = answerClass('SoftwareDeploymentView', {
  id: Shown(String, 'The ID.'),
  server_id: Shown(String, 'The server that it is deployed to.'),
  config_id: Shown(String, 'The config that is deployed.'),
  input_values: Shown(Object, 'Values of the inputs.', { nullable: true }),
  output_values: Shown(Object, 'Values of the outputs.', { nullable: true }),
  action: Shown(String, 'The action of the stack that it belongs to.', { nullable: true }),
  status: Shown(String, 'The status.', { nullable: true, enum: DEPLOYMENT_STATUSES }),
  status_reason: Shown(String, 'The reason for the status.', { nullable: true }),
  creation_time: Shown('date-time', 'The time of creation.'),
  updated_time: Shown('date-time', 'The time of the last change.', { optional: true }),
});

export const SoftwareDeploymentAnswer = shownUnder('software_deployment', SoftwareDeploymentView);

export const SoftwareDeploymentList = allUnder('software_deployments', SoftwareDeploymentView);

export const DeploymentMetadata = allUnder(
  'metadata',
  SoftwareConfigView,
  'The configs that are deployed, by their names.',
);
