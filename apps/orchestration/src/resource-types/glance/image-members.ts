/** Projects that an image is shared with. Public source: Image API reference, "Sharing". */
import { asObjects, asText, textsIn } from '../property-values.js';
import type { ExistingScope } from '../resource-type.js';
import { part, type ServiceCalls } from '../service-calls.js';

/** Makes them those of the properties; again, it changes nothing. */
export async function settleMembers(scope: ExistingScope, calls: ServiceCalls): Promise<void> {
  const { properties, row } = scope;
  if (properties['visibility'] !== 'shared') return;
  const path = `/v2/images/${part(row.physicalId)}/members`;
  const wanted = textsIn(properties, 'members') ?? [];
  const { members } = await calls.get(path);
  const present = asObjects(members).map(({ member_id: id }) => asText(id));
  for (const member of wanted.filter((one) => !present.includes(one)))
    await calls.act(path, { member });
  for (const member of present.filter((one) => !wanted.includes(one)))
    await calls.remove(`${path}/${part(member)}`);
}
