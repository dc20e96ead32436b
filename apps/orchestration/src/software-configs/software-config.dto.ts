/** Configuration of software on the wire. Public source: Orchestration API reference, "Software configuration". */
import { StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { JsonField, JsonMapField, ShownJson } from '../http/json-shape.js';

@IgnoresOthers()
export class NewSoftwareConfigDto {
  @StringField({ optional: true, nullable: true, min: 0, description: 'Its name.' })
  name?: string | null;

  @StringField({
    optional: true,
    nullable: true,
    min: 0,
    description: 'The tool that it is for: script, puppet.',
  })
  group?: string | null;

  @JsonField({ optional: true, nullable: true, description: 'What the tool is given.' })
  config?: unknown;

  @JsonField({ optional: true, nullable: true, description: 'What it takes in: a list.' })
  inputs?: unknown;

  @JsonField({ optional: true, nullable: true, description: 'What it gives back: a list.' })
  outputs?: unknown;

  @JsonMapField({ optional: true, nullable: true, description: 'Options of the tool.' })
  options?: Record<string, unknown> | null;
}

const SUMMARY = {
  id: Shown(String, 'Its id.'),
  name: Shown(String, 'Its name.', { nullable: true }),
  group: Shown(String, 'The tool that it is for.', { nullable: true }),
  creation_time: Shown('date-time', 'When it was made.'),
};

export const SoftwareConfigSummary = answerClass('SoftwareConfigSummary', {
  ...SUMMARY,
  project: Shown(String, 'Whose it is, for administrators.', { optional: true }),
});

export const SoftwareConfigView = answerClass('SoftwareConfigView', {
  ...SUMMARY,
  config: ShownJson('What the tool is given.'),
  inputs: Shown([Object], 'What it takes in.'),
  outputs: Shown([Object], 'What it gives back.'),
  options: Shown(Object, 'Options of the tool.', { nullable: true }),
});

export const SoftwareConfigAnswer = answerClass('SoftwareConfigAnswer', {
  software_config: Shown(() => SoftwareConfigView, 'The config.'),
});

export const SoftwareConfigList = answerClass('SoftwareConfigList', {
  software_configs: Shown([() => SoftwareConfigSummary], 'The configs of the page.'),
});
