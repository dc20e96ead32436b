/** What a server says of a deployment, as the deployment keeps it. Pure. */
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import { asObjects, asText } from '../property-values.js';

const OUTPUTS = ['deploy_stdout', 'deploy_stderr', 'deploy_status_code'] as const;

export interface Outcome {
  readonly status: 'COMPLETE' | 'FAILED';
  readonly reason: string;
  readonly outputs: JsonObject;
  /** What the event says. */
  readonly told: string;
}

/** @param outputs that the config declares */
export function outcomeOf(id: string, outputs: Json | undefined, details: JsonObject): Outcome {
  const code = asText(details['deploy_status_code']);
  const faults: string[] = [];
  if (code !== '' && code !== '0')
    faults.push(`deploy_status_code : Deployment exited with non-zero status code: ${code}`);
  const values = new Map<string, Json>();
  for (const { name, error_output: isError } of asObjects(outputs)) {
    const value = ownOf(details, asText(name));
    if (value === undefined) continue;
    values.set(asText(name), value);
    if (isError === true) faults.push(`${asText(name)} : ${asText(value)}`);
  }
  for (const name of OUTPUTS) values.set(name, details[name] ?? null);
  const isFailed = faults.length > 0;
  return {
    status: isFailed ? 'FAILED' : 'COMPLETE',
    reason: isFailed ? faults.join(', ') : 'Outputs received',
    outputs: Object.fromEntries(values),
    told: isFailed ? `deployment ${id} failed (${code})` : `deployment ${id} succeeded`,
  };
}
