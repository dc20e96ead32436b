import type { OutputDefinition } from '../template/read-template.js';
import type { ShownOutput } from '../engine/stack-commands.js';
import { describedOutput } from './preview.view.js';

export function outputView({ name, description, value, error }: ShownOutput): object {
  return {
    output_key: name,
    description: describedOutput(description),
    output_value: value,
    ...(error === undefined ? {} : { output_error: error }),
  };
}

/** Without its value, which may take long. */
export function outputSummary(
  name: string,
  { description }: Pick<OutputDefinition, 'description'>,
): object {
  return { output_key: name, description: describedOutput(description) };
}
