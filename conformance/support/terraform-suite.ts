/**
 * The life of our own Terraform module (conformance/terraform) in a cloud: applied, changed by another
 * value of its variable, destroyed. A test is a resource in one of these, or a list of the cloud at the
 * end. Whoever applies a module plans it again and again, and a plan without a change of the module
 * that wants to change something is a fault of what the cloud answers.
 */
import { CatalogSession } from './catalog-session.js';
import type { CloudEntry } from './cloud-entry.js';
import { OpenTofu, PROVIDER, TOFU, type Round } from './opentofu.js';
import { listsOfTerraform } from './terraform-lists.js';
import { idsListed, type Lists } from './what-there-is.js';

export const TERRAFORM_TITLE =
  `the resources of our module for OpenTofu ${TOFU.version} and ${PROVIDER.name} ${PROVIDER.version}:` +
  ' made, changed, destroyed, each followed by a plan or a look at what is left';

type Results = [string, string][];

/** @param entry of an administrator of the cloud */
export async function testTerraform(entry: CloudEntry): Promise<ReadonlyMap<string, string>> {
  const tofu = await OpenTofu.install(entry);
  const session = await CatalogSession.open(entry);
  const lists = listsOfTerraform(session.userId);
  try {
    const before = await idsListed(session, lists);
    const first = await applied(tofu, 'first');
    const second = await applied(tofu, 'second');
    const destroyed = await destroyedAll(tofu);
    return new Map([
      ...first,
      ...second,
      ...destroyed,
      ...leftIn(before, await idsListed(session, lists)),
    ]);
  } finally {
    console.log(tofu.output);
    await tofu.remove();
  }
}

/** A resource passes if it is there, and a plan right afterwards would do nothing to it. */
async function applied(tofu: OpenTofu, round: Round): Promise<Results> {
  const exitCode = await tofu.apply(round);
  const planned = await tofu.plan(round);
  return [
    [`${round}.apply`, exitCode === 0 ? 'success' : `exited with ${exitCode}`],
    ...[...planned].map(([address, actions]): [string, string] => [
      `${round}.${address}`,
      actions === 'no-op' ? 'success' : `plans to ${actions}`,
    ]),
  ];
}

async function destroyedAll(tofu: OpenTofu): Promise<Results> {
  const there = await tofu.resources();
  const exitCode = await tofu.destroy('second');
  const still = new Set(await tofu.resources());
  return [
    ['destroy.apply', exitCode === 0 ? 'success' : `exited with ${exitCode}`],
    ...there.map((address): [string, string] => [
      `destroy.${address}`,
      still.has(address) ? 'still there' : 'success',
    ]),
  ];
}

function leftIn(before: Lists, after: Lists): Results {
  return Object.entries(after).map(([list, ids]) => {
    const left = ids.filter((id) => !before[list]?.includes(id));
    return [`left.${list}`, left.length === 0 ? 'success' : `left: ${left.length}`];
  });
}
