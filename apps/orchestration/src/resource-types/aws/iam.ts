/**
 * Users of a stack and their access keys. Public source: Heat, `aws/iam/user.py` and `stack_user.py`.
 *
 * Always holds: each user has a project of its own in identity's domain for stack users, with a role
 * that no service honours, so neither the user nor its key has access to anything of the stack's
 * owner.
 */
import { asServiceOf } from '@cumulet/clients/http/actor';
import { isRefusal } from '@cumulet/common/states/refusal';
import { PropertyError } from '../../constraints/property.errors.js';
import {
  InvalidTemplateAttributeError,
  StackValidationFailedError,
} from '../../template/template.errors.js';
import { attribute, integer, list, mapOf, oneOf, text } from '../declare.js';
import { expressionOf, itemsOf } from '../implicit-requires.js';
import { asObjects, asText, mapIn, textIn } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { entityIn, idIn, part, ServiceCalls } from '../service-calls.js';

/** As identity's bootstrap creates it. */
const DOMAIN = 'stack-users';
const ROLE = 'heat_stack_user';

/** Nobody could renew or choose the password. */
const OPTIONS = { ignore_password_expiry: true, ignore_change_password_upon_first_use: true };

/** As this service, within that domain: owners of stacks may not create users. */
const calls = (scope: ResourceScope): ServiceCalls =>
  new ServiceCalls({ ...scope, actor: asServiceOf(DOMAIN, scope.ctx) }, 'identity');

const pathOf = (id: string): string => `/v3/users/${part(id)}`;
const projectPathOf = (id: string): string => `/v3/projects/${part(id)}`;
const keysPathOf = (id: string): string => `${pathOf(id)}/credentials/OS-EC2`;

async function enable(scope: ExistingScope, enabled: boolean): Promise<void> {
  await calls(scope).patch(pathOf(scope.row.physicalId), { user: { enabled } });
}

export const iamUser: ResourceType = {
  name: 'AWS::IAM::User',
  description:
    'A user of the stack, in a domain apart. It may read resources by the API of CloudFormation, which this cloud does not have, and nothing else.',
  properties: {
    Path: text('A property of AWS, which has no effect here.'),
    Groups: list('A property of AWS, which has no effect here.'),
    LoginProfile: mapOf({ Password: text('The password.') }, 'How the user logs in.'),
    Policies: list('The names of resources OS::Heat::AccessPolicy, which say what it may read.'),
  },
  attributes: {},
  referenceOf: ({ data, name }) => data['name'] ?? name,

  /** Ignores AWS policies that are not names, as Heat does. @throws InvalidTemplateAttributeError */
  validateAmong(one, all) {
    for (const item of itemsOf(expressionOf(one, 'Policies'))) {
      if (item.kind !== 'value' || typeof item.value !== 'string') continue;
      const named = Object.hasOwn(all, item.value) ? all[item.value]?.implementation : undefined;
      if (named?.kind !== 'type' || named.type !== 'OS::Heat::AccessPolicy')
        throw new InvalidTemplateAttributeError(one.name, 'Policies', `resources.${one.name}`);
    }
  },

  async create(scope) {
    const identity = calls(scope);
    const description = `Of the stack ${scope.stack.id}.`;
    const name = scope.physicalName(64);
    const place = { name, description, domain_id: DOMAIN };
    const made = await identity.create('/v3/projects', { project: place }, 'project');
    const projectId = idIn(entityIn(made, 'project'));
    const password = textIn(mapIn(scope.properties, 'LoginProfile') ?? {}, 'Password');
    const user = {
      ...place,
      default_project_id: projectId,
      options: OPTIONS,
      ...(password === undefined ? {} : { password }),
    };
    try {
      const answer = await identity.create('/v3/users', { user });
      return { physicalId: idIn(entityIn(answer, 'user')), data: { name, projectId } };
    } catch (error) {
      if (isRefusal(error)) await identity.remove(projectPathOf(projectId));
      throw error;
    }
  },

  /** The role is granted last; granting it again changes nothing. */
  async isCreated(scope) {
    const identity = calls(scope);
    const { roles } = await identity.get('/v3/roles', { name: ROLE });
    const [role] = asObjects(roles);
    const project = projectPathOf(asText(scope.row.data['projectId']));
    const granted = `${project}/users/${part(scope.row.physicalId)}/roles`;
    await identity.put(`${granted}/${part(idIn(role ?? {}))}`);
    return true;
  },

  async remove(scope) {
    const identity = calls(scope);
    await identity.remove(pathOf(scope.row.physicalId));
    await identity.remove(projectPathOf(asText(scope.row.data['projectId'])));
  },

  suspend: (scope) => enable(scope, false),
  resume: (scope) => enable(scope, true),
};

export const iamAccessKey: ResourceType = {
  name: 'AWS::IAM::AccessKey',
  description: 'A key of an AWS::IAM::User of the stack, for requests that are signed.',
  properties: {
    Serial: integer('A number to have another key by.', {
      notOffered: 'another UserName is what makes another key',
    }),
    UserName: text('The user, as Ref gives it.', { required: true }),
    Status: text('Whether it may be used.', {
      constraints: [oneOf('Active', 'Inactive')],
      notOffered: 'a key is good for as long as it is there',
    }),
  },
  attributes: {
    UserName: attribute('string', 'The user.'),
    SecretAccessKey: attribute('string', 'The secret half of the key.'),
  },

  async create(scope) {
    const name = textIn(scope.properties, 'UserName') ?? '';
    const { users } = await calls(scope).get('/v3/users', { name, domain_id: DOMAIN });
    const [user] = asObjects(users);
    const userId = user && idIn(user);
    // The domain holds the users of all stacks; only this stack's may be used.
    const own = userId === undefined ? undefined : await scope.sibling(userId);
    if (userId === undefined || !own)
      throw new PropertyError('UserName', `could not find user ${name}`);
    const wanted = { tenant_id: asText(own.data['projectId']) };
    const answer = await calls(scope).create(keysPathOf(userId), wanted);
    const made = entityIn(answer, 'credential');
    return {
      physicalId: idIn(made, 'access'),
      data: { userId, secret: asText(made['secret']) },
    };
  },

  async remove(scope) {
    const { row } = scope;
    const userId = asText(row.data['userId']);
    await calls(scope).remove(`${keysPathOf(userId)}/${part(row.physicalId)}`);
  },

  attributesOf: ({ row, properties }) =>
    Promise.resolve({
      UserName: properties['UserName'] ?? null,
      SecretAccessKey: row.data['secret'] ?? null,
    }),
};

/** What a stack user may read. Public source: Heat, `openstack/heat/access_policy.py`. */
export const accessPolicy: ResourceType = {
  name: 'OS::Heat::AccessPolicy',
  description:
    'Which resources of its stack an AWS::IAM::User may read by the API of CloudFormation, which this cloud does not have: nothing is made of it.',
  properties: {
    AllowedResources: list('The names of the resources.', { required: true }),
  },
  attributes: {},

  /** A name must be that of a resource of the stack. @throws StackValidationFailedError */
  validateAmong(one, all) {
    for (const item of itemsOf(expressionOf(one, 'AllowedResources'))) {
      if (item.kind !== 'value' || typeof item.value !== 'string') continue;
      if (!Object.hasOwn(all, item.value))
        throw new StackValidationFailedError(`AccessPolicy resource ${item.value} not in stack`);
    }
  },

  create: () => Promise.resolve({ physicalId: null }),
  remove: () => Promise.resolve(),
};
