/** Parameters that every template has without declaring them. */
import type { Json } from '../../json/json.js';
import type { PseudoParameters } from '../read-template.js';

/** Heat knows no other, and templates that ask for it expect a name of AWS's. */
const REGION = 'ap-southeast-1';

export type TemplateFormat = 'hot' | 'cfn';

/** Heat template guide, "Pseudo parameters". */
export function pseudoParameters(
  format: TemplateFormat,
  { id, name, projectId }: PseudoParameters,
): Readonly<Record<string, string>> {
  return format === 'hot'
    ? { 'OS::stack_id': id, 'OS::stack_name': name, 'OS::project_id': projectId }
    : {
        'AWS::StackId': stackArn({ id, name, projectId }),
        'AWS::StackName': name,
        'AWS::Region': REGION,
      };
}

/** The name of a stack among all clouds' things: what `AWS::StackId` and references to stacks are. */
export function stackArn({ id, name, projectId }: PseudoParameters): string {
  return `arn:openstack:heat::${projectId}:stacks/${encodeURIComponent(name)}/${id}`;
}

/** With those of the stack: what `get_param` and `Ref` give. */
export function withPseudo(
  values: Readonly<Record<string, Json>>,
  format: TemplateFormat,
  stack: PseudoParameters,
): Readonly<Record<string, Json>> {
  return { ...values, ...pseudoParameters(format, stack) };
}
