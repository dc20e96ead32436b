/** How fast groups change, as their policies say. */
import { isMap, type Json, type JsonObject } from '../../../json/json.js';
import { isNumeric } from '../../../json/numbers.js';
import type { Pace } from './group-steps.js';

/** Of `min_in_service`, `max_batch_size` and `pause_time`. */
export function paceOf(policy: Json | undefined): Pace | undefined {
  if (!isGiven(policy)) return undefined;
  return {
    minInService: numberAt(policy, 'min_in_service', 0),
    maxBatchSize: Math.max(1, numberAt(policy, 'max_batch_size', 1)),
    pause: numberAt(policy, 'pause_time', 0),
  };
}

/** The same in the words of AWS. */
export function amazonPaceOf(policy: Json | undefined): Pace | undefined {
  if (!isGiven(policy)) return undefined;
  return {
    minInService: numberAt(policy, 'MinInstancesInService', 0),
    maxBatchSize: Math.max(1, numberAt(policy, 'MaxBatchSize', 1)),
    pause: secondsOf(policy['PauseTime']),
  };
}

function isGiven(policy: Json | undefined): policy is JsonObject {
  return policy !== undefined && isMap(policy);
}

function numberAt(policy: JsonObject, name: string, standard: number): number {
  const value = Number(policy[name] ?? standard);
  return Number.isFinite(value) ? value : standard;
}

/** Of an ISO 8601 duration: `PT5M30S`. */
function secondsOf(duration: Json | undefined): number {
  if (isNumeric(duration)) return Number(duration);
  if (typeof duration !== 'string') return 0;
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/i.exec(duration) ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}
