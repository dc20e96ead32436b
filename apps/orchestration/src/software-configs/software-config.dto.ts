/**
 * Software configs on the wire. Public source: Orchestration API reference, "Software configuration".
 */
import { StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { JsonField, JsonMapField, ShownJson } from '../http/json-shape.js';

@IgnoresOthers()
export class NewSoftwareConfigDto {
  @StringField({ optional: true, nullable: true, min: 0, description: 'The name.' })
  name?: string | null;

  @StringField({
    optional: true,
    nullable: true,
    min: 0,
    description: 'The tool that applies it, such as script or puppet.',
  })
  group?: string | null;

  @JsonField({ optional: true, nullable: true, description: 'The configuration for the tool.' })
  config?: unknown;

  @JsonField({ optional: true, nullable: true, description: 'The inputs: a list.' })
  inputs?: unknown;

  @JsonField({ optional: true, nullable: true, description: 'The outputs: a list.' })
  outputs?: unknown;

  @JsonMapField({ optional: true, nullable: true, description: 'Options of the tool.' })
  options?: Record<string, unknown> | null;
}

const SUMMARY = {
  id: Shown(String, 'The ID.'),
  name: Shown(String, 'The name.', { nullable: true }),
  group: Shown(String, 'The tool that applies it.', { nullable: true }),
  creation_time: Shown('date-time', 'The time of creation.'),
};

export const SoftwareConfigSummary = answerClass('SoftwareConfigSummary', {
  ...SUMMARY,
  project: Shown(String, 'The ID of the project that owns it; for administrators.', {
    optional: true,
  }),
});

export const SoftwareConfigView = answerClass('SoftwareConfigView', {
  ...SUMMARY,
  config: ShownJson('The configuration for the tool.'),
  inputs: Shown([Object], 'The inputs.'),
  outputs: Shown([Object], 'The outputs.'),
  options: Shown(Object, 'Options of the tool.', { nullable: true }),
});

export const SoftwareConfigAnswer = shownUnder('software_config', SoftwareConfigView);

export const SoftwareConfigList = allUnder('software_configs', SoftwareConfigSummary);
